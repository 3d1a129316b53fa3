// SPDX-License-Identifier: Apache-2.0
// The addresses of each origin, or of the proxy for it, resolved once, before the sandbox closes.
import MPinWire

struct Destinations {
    /// The entries for CURLOPT_RESOLVE, with which libcurl does not resolve names itself.
    private(set) var entries: [String] = []
    /// Why requests cannot be sent to an origin whose name has no address.
    private var failures: [Origin: UInt16] = [:]
    private let proxy: Origin?

    /// Resolves the origins. If no name server answers, the addresses that `hello` recorded are used. If
    /// there is a proxy, it resolves the names of https origins.
    init(
        _ wanted: Set<Origin>, through proxy: Origin?, recorded lines: [[UInt8]], within limit: Limit
    ) throws(CallFailure) {
        self.proxy = proxy
        let origins = Set(wanted.map { $0.isHTTPS ? proxy ?? $0 : $0 })
        guard let recorded = recorded(lines) else { throw .cannotStart }
        let resolved = resolve(Set(origins.compactMap(\.name)), within: limit)
        for origin in origins {
            guard let name = origin.name else {
                // libcurl would take anything else for a name.
                guard isAddress(origin.host) else { throw .cannotStart }
                continue
            }
            let addresses: [String]
            switch resolved[name] ?? .machineFailed {
            case .found(let those): addresses = those
            case .noSuchName: addresses = []
            case .silence: addresses = recorded[name] ?? []
            case .machineFailed:
                failures[origin] = RelayResponse.machineFailed
                continue
            }
            guard !addresses.isEmpty else {
                failures[origin] = RelayResponse.unreachable
                continue
            }
            entries.append("\(name):\(origin.port):" + addresses.map(bracketed).joined(separator: ","))
        }
    }

    /// The status of every request to an origin whose name has no address; nil for all others.
    func failure(of origin: Origin) -> UInt16? { failures[origin.isHTTPS ? proxy ?? origin : origin] }
}

private func bracketed(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }

private func isAddress(_ host: String) -> Bool {
    let bare = host.hasPrefix("[") ? host.dropFirst().dropLast() : host[...]
    return IPAddress([UInt8](bare.utf8)) != nil
}

/// The addresses that `hello` recorded for each name, from lines `NAME ADDRESS`; nil if a line is malformed.
private func recorded(_ lines: [[UInt8]]) -> [String: [String]]? {
    var found: [String: [String]] = [:]
    for line in lines {
        let parts = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 2, isAddress(parts[1]) else { return nil }
        found[parts[0].lowercased(), default: []].append(parts[1])
    }
    return found
}
