// SPDX-License-Identifier: Apache-2.0
// Scheme, host and port of a URL, parsed strictly, so that libcurl cannot understand a URL differently.
import MPinWire
import Octets

/// An origin (RFC 6454) with the scheme https or http.
package struct Origin: Equatable, Hashable, Sendable {
    package let isHTTPS: Bool
    /// Lower case; an IPv6 address in its brackets.
    package let host: String
    package let port: UInt16

    /// Whether requests may be sent there: by https, or by http to a literal loopback address, because a name
    /// could resolve to another machine.
    package var isAllowed: Bool { isHTTPS || host == "127.0.0.1" || host == "[::1]" }

    /// `https://login.example.org:443`
    package var text: String { (isHTTPS ? "https://" : "http://") + host + ":" + String(port) }

    /// A name that must be resolved; nil for an address.
    package var name: String? {
        let isAddress =
            host.hasPrefix("[") || host.utf8.allSatisfy { $0 == 0x2e || (0x30...0x39).contains($0) }
        return isAddress ? nil : host
    }

    /// Splits a URL into its origin and the rest, which is empty or begins with a slash. nil for another
    /// scheme, for user names, escapes and anything else but host and port, and for a path that `isPath`
    /// refuses.
    package static func split(_ url: String) -> (origin: Origin, path: String)? {
        let text = [UInt8](url.utf8)
        let https = text.dropping("https://")
        let isHTTPS = https != nil
        guard let rest = https ?? text.dropping("http://"), let authority = URLAuthority(prefixOf: rest)
        else { return nil }
        let path = String(decoding: authority.rest, as: UTF8.self)
        guard path.isEmpty || isPath(path) else { return nil }
        let host = String(decoding: lowered(authority.host), as: UTF8.self)
        let port = UInt16(authority.port ?? (isHTTPS ? 443 : 80))
        return (Origin(isHTTPS: isHTTPS, host: host, port: port), path)
    }
}

/// Whether text may follow an origin.
package func isPath(_ text: String) -> Bool { isPath([UInt8](text.utf8)) }

/// Encodes a value of a query: every octet but the unreserved characters (RFC 3986) is escaped.
package func escaped(_ octets: some Sequence<UInt8>) -> String {
    String(decoding: percentEncoded([UInt8](octets)), as: UTF8.self)
}
