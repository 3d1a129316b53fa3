// SPDX-License-Identifier: Apache-2.0
// Host and port of a URL, read strictly, so that no library understands them differently.
import Octets

/// The authority of a URL (RFC 3986, section 3.2) without user information, which is not permitted because
/// `https://bank@evil/` is not at the bank.
package struct URLAuthority: Sendable {
    /// A name of ASCII letters, digits, `-` and `.`, as written, or an address; an IPv6 address in its
    /// brackets. At most 255 octets. Other ways to write an IPv4 address (`127.1`, `0x7f000001`) are refused.
    package let host: [UInt8]
    /// 1 to 65,535; nil if the text has none.
    package let port: Int?
    /// What follows the authority: nothing, or text that begins with a slash.
    package let rest: [UInt8]

    /// Reads the text behind `https://`; nil if it does not begin with a host and perhaps a port.
    package init?(prefixOf text: [UInt8]) {
        let authority = [UInt8](text.prefix { $0 != UInt8(ascii: "/") })
        guard let host = URLAuthority.host(of: authority), host.count <= 255 else { return nil }
        let behind = authority.dropFirst(host.count)
        let port = wholeNumber([UInt8](behind.dropFirst()), in: 1...65_535)
        guard behind.isEmpty || (behind.first == UInt8(ascii: ":") && port != nil) else { return nil }
        self.host = host
        self.port = port
        rest = [UInt8](text.dropFirst(authority.count))
    }

    /// The host, if it is a numeric address; nil for a name.
    package var address: IPAddress? {
        IPAddress(host.first == UInt8(ascii: "[") ? [UInt8](host.dropFirst().dropLast()) : host)
    }

    private static func host(of authority: [UInt8]) -> [UInt8]? {
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")),
                let address = IPAddress([UInt8](authority[1..<end])), address.octets.count == 16
            else { return nil }
            return [UInt8](authority[...end])
        }
        let host = [UInt8](authority.prefix { $0 != UInt8(ascii: ":") })
        let isName = host.allSatisfy { octet in
            switch octet {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e: true
            default: false
            }
        }
        guard isName, !host.isEmpty else { return nil }
        // The top label; a dot behind it is left out.
        let last = [UInt8](host.split(separator: UInt8(ascii: ".")).last ?? [])
        let isNumber = last.allSatisfy(isDigit) || lowered(last).starts(with: ascii("0x"))
        return isNumber && IPAddress(host) == nil ? nil : host
    }
}
