// SPDX-License-Identifier: Apache-2.0
// Numeric addresses, and the networks of mpin.conf. This code does not use inet_pton, which a browser lacks.
import MPinWire
import Octets

/// An IPv4 address (4 octets) or an IPv6 address (16 octets). An IPv4 address inside an IPv6 address
/// (`::ffff:192.0.2.1`) becomes an IPv4 address.
package struct Address: Equatable, Sendable {
    /// 4 octets or 16.
    package let octets: [UInt8]

    /// nil if the text is not a numeric address. A zone (`%eth0`) does not identify a user and is removed.
    package init?(_ text: [UInt8]) {
        let text = [UInt8](text.prefix { $0 != UInt8(ascii: "%") })
        guard (2...45).contains(text.count) else { return nil }
        let read = text.contains(UInt8(ascii: ":")) ? Address.six(text) : Address.four(text[...])
        guard let octets = read else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        self.octets = octets.starts(with: mapped) ? [UInt8](octets.suffix(4)) : octets
    }

    /// Four numbers without leading zeros.
    private static func four(_ text: ArraySlice<UInt8>) -> [UInt8]? {
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
    private static func six(_ text: [UInt8]) -> [UInt8]? {
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
                guard let last = four(part) else { return nil }
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

/// A network such as `192.0.2.0/24` or `2001:db8::/32`, or one address; with `!` before it, it is an
/// exclusion.
package struct Network: Equatable, Sendable {
    /// The text in the settings, without `!`.
    package let text: [UInt8]
    package let address: Address
    /// The number of leading bits that are compared.
    package let prefix: Int
    package let isExclusion: Bool

    package init?(_ text: [UInt8]) {
        let isExclusion = text.first == UInt8(ascii: "!")
        let text = isExclusion ? [UInt8](text.dropFirst()) : text
        let parts = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = Address([UInt8](parts[0])) else { return nil }
        let bits = address.octets.count * 8
        guard let prefix = parts.count == 1 ? bits : wholeNumber([UInt8](parts[1]), in: 0...bits) else {
            return nil
        }
        self.text = text
        self.address = address
        self.prefix = prefix
        self.isExclusion = isExclusion
    }

    /// Whether the other address is in this network; an address of another family never is.
    package func contains(_ other: Address) -> Bool {
        guard other.octets.count == address.octets.count else { return false }
        return zip(address.octets, other.octets).enumerated().allSatisfy { index, pair in
            let bits = min(max(prefix - index * 8, 0), 8)
            let mask = UInt8(truncatingIfNeeded: 0xff00 >> bits)
            return pair.0 & mask == pair.1 & mask
        }
    }
}
