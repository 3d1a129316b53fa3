// SPDX-License-Identifier: Apache-2.0
// Numeric addresses, and the networks of mpin.conf.
import CPlatform

/// An IPv4 address (4 octets) or an IPv6 address (16); one of the first kind inside the second
/// (`::ffff:192.0.2.1`) is of the first.
package struct Address: Equatable, Sendable {
    package let octets: [UInt8]

    /// nil for what is no numeric address. A zone (`%eth0`) does not say who somebody is and is cut off.
    package init?(_ text: [UInt8]) {
        let text = [UInt8](text.prefix { $0 != UInt8(ascii: "%") })
        guard (2...45).contains(text.count), !text.contains(0) else { return nil }
        let family = text.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
        var octets = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
        let parsed = unsafe withCString(text) { text in
            unsafe octets.withUnsafeMutableBytes { unsafe inet_pton(family, text, $0.baseAddress) }
        }
        guard parsed == 1 else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        self.octets = octets.starts(with: mapped) ? [UInt8](octets.suffix(4)) : octets
    }
}

/// `192.0.2.0/24`, `2001:db8::/32`, or one address; `!` before it excludes.
package struct Network: Equatable, Sendable {
    /// As it stands in the settings, without `!`.
    package let text: [UInt8]
    package let address: Address
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

    package func contains(_ other: Address) -> Bool {
        guard other.octets.count == address.octets.count else { return false }
        return zip(address.octets, other.octets).enumerated().allSatisfy { index, pair in
            let bits = min(max(prefix - index * 8, 0), 8)
            let mask = UInt8(truncatingIfNeeded: 0xff00 >> bits)
            return pair.0 & mask == pair.1 & mask
        }
    }
}
