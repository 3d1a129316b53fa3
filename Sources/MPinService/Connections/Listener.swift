// SPDX-License-Identifier: Apache-2.0
// Where the daemon listens, and the address by which clients know it.

package enum Listener: Equatable, Sendable {
    case unix(String)
    /// A literal address; plain HTTP is for loopback ones.
    case tcp(host: String, port: Int)

    /// `unix:PATH`, `192.0.2.1:PORT` or `[2001:db8::1]:PORT`.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst(5)
            guard path.hasPrefix("/"), path.utf8.count < 108 else { return nil }
            self = .unix(String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            port > 0
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard host.contains(":") == isBracketed, let address = IPAddress(String(host)) else { return nil }
        self = .tcp(host: address.text, port: Int(port))
    }

    /// A TCP address that other machines may reach.
    package var isDistant: Bool {
        switch self {
        case .unix: false
        case .tcp(let host, _): IPAddress(host)?.isLoopback != true
        }
    }

    package var isTCP: Bool {
        switch self {
        case .unix: false
        case .tcp: true
        }
    }

    /// As a Host header names it; nil for a Unix socket.
    package var name: String? {
        switch self {
        case .unix: nil
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    package var text: String {
        switch self {
        case .unix(let path): "unix:" + path
        case .tcp: name ?? ""
        }
    }
}

/// Scheme, host and port, and nothing else.
package struct PublicURL: Equatable, Sendable {
    /// In lower case, without a default port: what Origin says.
    package let origin: String
    /// What Host says.
    package let name: String

    package init?(_ text: String) {
        let lower = text.lowercased()
        guard let scheme = ["https", "http"].first(where: { lower.hasPrefix($0 + "://") }) else { return nil }
        var name = lower.dropFirst(scheme.count + 3)
        if name.hasSuffix("/") { name = name.dropLast() }
        let defaultPort = scheme == "https" ? ":443" : ":80"
        if name.hasSuffix(defaultPort) { name = name.dropLast(defaultPort.count) }
        let isName =
            !name.isEmpty && name.utf8.count <= 255
            && name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || ".-:[]".utf8.contains($0)
            }
        guard isName else { return nil }
        self.name = String(name)
        self.origin = scheme + "://" + name
    }
}
