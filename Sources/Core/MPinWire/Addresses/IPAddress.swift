// SPDX-License-Identifier: Apache-2.0
// Numeric addresses. This code does not use inet_pton, which a browser lacks.
import Octets

/// An IPv4 or IPv6 address. An IPv4 address inside an IPv6 address (`::ffff:192.0.2.1`) becomes an IPv4
/// address.
package struct IPAddress: Equatable, Sendable {
    /// 4 octets or 16, most significant first.
    package let octets: [UInt8]

    /// Whether packets to the address stay on this machine: 127.0.0.0/8 and `::1`.
    package var isLoopback: Bool {
        octets.count == 4 ? octets[0] == 127 : octets.last == 1 && octets.count { $0 == 0 } == 15
    }

    /// Reads an address without brackets, port and zone; nil for other text.
    package init?(_ text: [UInt8]) {
        guard (2...45).contains(text.count) else { return nil }
        let read = text.contains(UInt8(ascii: ":")) ? IPAddress.ipv6(text) : IPAddress.ipv4(text[...])
        guard let octets = read else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        self.octets = octets.starts(with: mapped) ? [UInt8](octets.suffix(4)) : octets
    }

    /// Reads the address of a peer, such as PAM_RHOST. A zone (`%eth0`) does not identify a user and is
    /// removed.
    package init?(ofPeer text: [UInt8]) {
        self.init([UInt8](text.prefix { $0 != UInt8(ascii: "%") }))
    }

    /// Four numbers without leading zeros.
    private static func ipv4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var octets: [UInt8] = []
        for part in parts {
            guard part.count == 1 || part.first != 0x30,
                let octet = wholeNumber([UInt8](part), in: 0...UInt8.max)
            else { return nil }
            octets.append(octet)
        }
        return octets
    }

    /// Groups of one to four hexadecimal digits; `::` may occur once, for at least one zero group.
    private static func ipv6(_ text: [UInt8]) -> [UInt8]? {
        let colon = UInt8(ascii: ":")
        let gap = text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
        guard let gap else {
            let octets = groups(text[...], endsAddress: true)
            return octets?.count == 16 ? octets : nil
        }
        guard let before = groups(text[..<gap], endsAddress: false),
            let behind = groups(text[(gap + 2)...], endsAddress: true), before.count + behind.count <= 14
        else { return nil }
        return before + [UInt8](repeating: 0, count: 16 - before.count - behind.count) + behind
    }

    /// - Parameter endsAddress: whether the last group may be an IPv4 address.
    private static func groups(_ text: ArraySlice<UInt8>, endsAddress: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var octets: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if endsAddress, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let last = ipv4(part) else { return nil }
                octets += last
                continue
            }
            guard (1...4).contains(part.count) else { return nil }
            var group: UInt16 = 0
            for digit in part {
                guard let value = nibble(digit) else { return nil }
                group = group << 4 | UInt16(value)
            }
            octets += [UInt8(group >> 8), UInt8(group & 0xff)]
        }
        return octets
    }
}
