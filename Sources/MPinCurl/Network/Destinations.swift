// SPDX-License-Identifier: Apache-2.0
// The addresses of each origin, or of the proxy for it, resolved once, before the sandbox closes.
import MPinWire

struct Destinations {
    private enum Destination {
        case at([SocketAddress])
        /// There is no address; the status says why.
        case nowhere(UInt16)
    }

    private var found: [Origin: Destination] = [:]
    private let proxy: Origin?

    /// Resolves the origins. If no name server answers, the addresses that `hello` recorded are used. If
    /// there is a proxy, it resolves the names of https origins.
    init(
        _ wanted: Set<Origin>, through proxy: Origin?, recorded lines: [[UInt8]], milliseconds: Int
    ) throws(CannotStart) {
        self.proxy = proxy
        let origins = Set(wanted.map { $0.isHTTPS ? proxy ?? $0 : $0 })
        let names = Set(origins.compactMap(\.name))
        guard let recorded = recorded(lines), let own = ownAddresses() else { throw CannotStart() }
        let resolved = resolve(names, milliseconds: milliseconds)
        for origin in origins {
            let addresses: [String]
            switch origin.name.map({ resolved[$0] ?? .machineFailed }) {
            case .none: addresses = [origin.host]
            case .found(let those): addresses = those
            case .noSuchName:
                found[origin] = .nowhere(RelayResponse.unreachable)
                continue
            case .silence:
                addresses = recorded[origin.host] ?? []
                found[origin] = .nowhere(RelayResponse.timedOut)
            case .machineFailed:
                addresses = recorded[origin.host] ?? []
                found[origin] = .nowhere(RelayResponse.machineFailed)
            }
            let there = addresses.compactMap { SocketAddress($0, port: origin.port, own: own) }
            guard there.count == addresses.count else { throw CannotStart() }
            if !there.isEmpty { found[origin] = .at(there) }
        }
    }

    /// The entries for CURLOPT_RESOLVE, with which libcurl does not resolve names itself.
    var entries: [String] {
        found.compactMap { origin, destination in
            guard let name = origin.name, case .at(let addresses) = destination else { return nil }
            return "\(name):\(origin.port):" + addresses.map(\.text).joined(separator: ",")
        }
    }

    /// The addresses to connect to for an origin, or the status of a request there.
    func addresses(of origin: Origin) -> Result<[SocketAddress], Failure> {
        switch found[origin.isHTTPS ? proxy ?? origin : origin] {
        case .at(let addresses): .success(addresses)
        case .nowhere(let status): .failure(Failure(status: status))
        case .none: .failure(.notUnderstood)
        }
    }
}
