// SPDX-License-Identifier: Apache-2.0
// The addresses of backends, proxies and origins. A backend is at a Unix socket, an https URL, or an http URL
// with a literal loopback address.
import MPinWire
import Octets

/// The address of a server: `unix:` and an absolute path, or an https URL, or http of a loopback address.
package struct Backend: Equatable, Sendable {
    /// How a client reaches the server; `loopback` is plain http that stays on this machine.
    package enum Channel: Equatable, Sendable { case unix, https, loopback }
    package let channel: Channel
    /// As `hello` carries it.
    package let address: [UInt8]
    /// Scheme, host and port in lower case, without a default port; `unix` for every Unix socket.
    package let origin: [UInt8]

    package init?(_ text: [UInt8]) {
        guard text.count <= 1_024 else { return nil }
        if let path = text.dropping("unix:") {
            // sun_path has space for 107 octets and a NUL.
            guard isAbsolutePath(path), path.count <= 107 else { return nil }
            channel = .unix
            origin = ascii("unix")
        } else if let rest = text.dropping("https://") {
            guard let authority = Authority(upToPathOf: rest) else { return nil }
            channel = .https
            origin = authority.origin("https://", defaultPort: 443)
        } else if let rest = text.dropping("http://") {
            guard let authority = Authority(upToPathOf: rest),
                authority.host.spells("127.0.0.1") || authority.host.spells("[::1]")
            else { return nil }
            channel = .loopback
            origin = authority.origin("http://", defaultPort: 80)
        } else {
            return nil
        }
        address = text
    }
}

extension Backend {
    /// The host name that must be resolved, in lower case; nil for a socket and for a numeric address.
    package var name: [UInt8]? {
        guard channel == .https, let rest = address.dropping("https://"),
            let host = Authority(upToPathOf: rest)?.host
        else { return nil }
        return isName(host) ? lowered(host) : nil
    }
}

/// The value of `backend-address = NAME ADDRESS`.
package struct BackendAddress: Equatable, Sendable {
    /// In lower case.
    package let name: [UInt8]
    /// IPv4 or IPv6, without brackets.
    package let address: [UInt8]

    /// As `hello` carries it.
    package var text: [UInt8] { name + [0x20] + address }

    package init?(_ text: [UInt8]) {
        let parts = words(text)
        guard parts.count == 2, let host = Authority(upToPathOf: parts[0]), host.port == nil,
            host.rest.isEmpty, isName(host.host), Address(parts[1]) != nil, !parts[1].contains(0x25)
        else { return nil }
        (name, address) = (lowered(host.host), parts[1])
    }
}

/// Whether a host is a name and not a numeric address.
private func isName(_ host: [UInt8]) -> Bool {
    host.first != 0x5b && !host.allSatisfy { $0 == 0x2e || (0x30...0x39).contains($0) }
}

/// The text, if it is an origin `https://host[:port]` without a path; otherwise nil.
package func origin(_ text: [UInt8]) -> [UInt8]? {
    guard let rest = text.dropping("https://"), let authority = Authority(upToPathOf: rest),
        authority.rest.isEmpty
    else { return nil }
    return text
}

/// The text, if it is `http://host:port` without a path; otherwise nil.
package func proxyAddress(_ text: [UInt8]) -> [UInt8]? {
    guard let rest = text.dropping("http://"), let authority = Authority(upToPathOf: rest),
        authority.port != nil, authority.rest.isEmpty
    else { return nil }
    return text
}

/// Whether a proxy is at a loopback address of this machine, which a local account could take over.
package func isProxyHere(_ address: [UInt8]) -> Bool {
    guard let rest = address.dropping("http://"), let host = Authority(upToPathOf: rest)?.host else {
        return false
    }
    if lowered(host).spells("localhost") || host.spells("[::1]") { return true }
    guard let address = Address(host), let here = Network(ascii("127.0.0.0/8")) else { return false }
    return here.contains(address)
}

/// The text, if it is an https URL without query and fragment, to which a fragment can be added; otherwise
/// nil.
package func addressBeforeFragment(_ text: [UInt8]) -> [UInt8]? {
    guard let rest = text.dropping("https://"), Authority(upToPathOf: rest) != nil else { return nil }
    return text
}

/// Whether the text begins with `/` and has neither blanks nor ASCII control characters.
package func isAbsolutePath(_ text: [UInt8]) -> Bool {
    text.first == UInt8(ascii: "/") && text.allSatisfy { $0 > 0x20 && $0 != 0x7f }
}

/// Host and port of a URL, and the path after them, of visible ASCII without query and fragment. User
/// information is not permitted, because `https://bank@evil/` is not at the bank.
struct Authority {
    let host: [UInt8]
    let port: Int?
    let rest: [UInt8]

    init?(upToPathOf text: [UInt8]) {
        let authority = [UInt8](text.prefix { $0 != UInt8(ascii: "/") })
        let rest = [UInt8](text.dropFirst(authority.count))
        let isVisible = rest.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x23 && $0 != 0x3f }
        guard isVisible, let host = Authority.host(of: authority) else { return nil }
        let behind = authority.dropFirst(host.count)
        let port = wholeNumber([UInt8](behind.dropFirst()), in: 1...65_535)
        guard behind.isEmpty || (behind.first == 0x3a && port != nil) else { return nil }
        self.host = host
        self.port = port
        self.rest = rest
    }

    func origin(_ scheme: StaticString, defaultPort: Int) -> [UInt8] {
        let port = port.flatMap { $0 == defaultPort ? nil : ascii(":") + decimal($0.magnitude) }
        return ascii(scheme) + lowered(host) + (port ?? [])
    }

    private static func host(of authority: [UInt8]) -> [UInt8]? {
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")),
                let address = Address([UInt8](authority[1..<end])), address.octets.count == 16
            else { return nil }
            return [UInt8](authority[...end])
        }
        let host = [UInt8](authority.prefix { $0 != 0x3a })
        let isName = host.allSatisfy { octet in
            switch octet {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e: true
            default: false
            }
        }
        return isName && !host.isEmpty ? host : nil
    }
}

extension [UInt8] {
    /// The octets after `prefix`; nil if they do not begin with it.
    package func dropping(_ prefix: StaticString) -> [UInt8]? {
        let prefix = ascii(prefix)
        return starts(with: prefix) ? [UInt8](dropFirst(prefix.count)) : nil
    }
}
