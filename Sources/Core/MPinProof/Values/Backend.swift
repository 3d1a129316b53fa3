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
            guard let authority = URLAuthority(plain: rest) else { return nil }
            channel = .https
            origin = authority.origin("https://", defaultPort: 443)
        } else if let rest = text.dropping("http://") {
            guard let authority = URLAuthority(plain: rest),
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
            let authority = URLAuthority(plain: rest), authority.address == nil
        else { return nil }
        return lowered(authority.host)
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
        guard parts.count == 2, let host = URLAuthority(plain: parts[0]), host.port == nil,
            host.rest.isEmpty, host.address == nil, IPAddress(parts[1]) != nil
        else { return nil }
        (name, address) = (lowered(host.host), parts[1])
    }
}

/// The text, if it is an origin `https://host[:port]` without a path; otherwise nil.
package func origin(_ text: [UInt8]) -> [UInt8]? {
    guard let rest = text.dropping("https://"), let authority = URLAuthority(plain: rest),
        authority.rest.isEmpty
    else { return nil }
    return text
}

/// The text, if it is `http://host:port` without a path; otherwise nil.
package func proxyAddress(_ text: [UInt8]) -> [UInt8]? {
    guard let rest = text.dropping("http://"), let authority = URLAuthority(plain: rest),
        authority.port != nil, authority.rest.isEmpty
    else { return nil }
    return text
}

/// The text, if it is an https URL without query and fragment, to which a fragment can be added; otherwise
/// nil.
package func addressBeforeFragment(_ text: [UInt8]) -> [UInt8]? {
    guard let rest = text.dropping("https://"), URLAuthority(plain: rest) != nil else { return nil }
    return text
}

/// Whether the text begins with `/` and has neither blanks nor ASCII control characters.
package func isAbsolutePath(_ text: [UInt8]) -> Bool {
    text.first == UInt8(ascii: "/") && text.allSatisfy { $0 > 0x20 && $0 != 0x7f }
}

extension URLAuthority {
    /// Reads an authority that a path of visible ASCII without query, fragment and backslash may follow.
    init?(plain text: [UInt8]) {
        self.init(prefixOf: text)
        guard rest.isEmpty || isPath(rest), !rest.contains(UInt8(ascii: "?")) else { return nil }
    }

    func origin(_ scheme: StaticString, defaultPort: Int) -> [UInt8] {
        let port = port.flatMap { $0 == defaultPort ? nil : ascii(":") + decimal($0.magnitude) }
        return ascii(scheme) + lowered(host) + (port ?? [])
    }
}
