// SPDX-License-Identifier: Apache-2.0
// Literal IP addresses and ranges of them, as settings and proxies write them.
import Glibc
import Octets

/// An IPv4 or IPv6 address.
package struct IPAddress: Equatable, Sendable {
    /// 4 octets or 16, most significant first. An IPv4 address in IPv6 (::ffff:192.0.2.1) has 4.
    package let octets: [UInt8]

    /// A literal without brackets, port or zone; nil for anything else.
    package init?(_ text: String) {
        var octets = [UInt8](repeating: 0, count: 16)
        let family = text.contains(":") ? AF_INET6 : AF_INET
        let isRead = unsafe octets.withUnsafeMutableBytes { unsafe inet_pton(family, text, $0.baseAddress) }
        guard isRead == 1, text.utf8.count < 46 else { return nil }
        if family == AF_INET {
            self.octets = [UInt8](octets.prefix(4))
        } else {
            self.octets = octets.starts(with: mappedPrefix) ? [UInt8](octets.suffix(4)) : octets
        }
    }

    /// The usual notation, as inet_ntop(3) writes it.
    package var text: String {
        var text = [CChar](repeating: 0, count: 46)
        let family = octets.count == 4 ? AF_INET : AF_INET6
        let written = unsafe octets.withUnsafeBytes { octets in
            unsafe inet_ntop(family, octets.baseAddress, &text, socklen_t(text.count))
        }
        guard unsafe written != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package var isLoopback: Bool {
        octets.count == 4 ? octets[0] == 127 : octets.dropLast().allSatisfy { $0 == 0 } && octets.last == 1
    }
}

/// An address, or all addresses with the same prefix: `203.0.113.9`, `10.0.0.0/8`, `2001:db8::/32`. The bits
/// after the prefix must be zero.
package struct IPRange: Equatable, Sendable {
    private let first: IPAddress
    /// The length of the prefix.
    private let bits: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = IPAddress(String(parts[0])) else { return nil }
        let whole = first.octets.count * 8
        guard let bits = parts.count == 2 ? wholeNumber(Array(parts[1].utf8), in: 0...whole) : whole,
            zip(first.octets, first.octets.indices).allSatisfy({ octet, index in
                octet & (UInt8.max >> UInt8(min(8, max(0, bits - 8 * index)))) == 0
            })
        else { return nil }
        self.first = first
        self.bits = bits
    }

    package func contains(_ address: IPAddress) -> Bool {
        guard address.octets.count == first.octets.count else { return false }
        return zip(address.octets, first.octets).enumerated().allSatisfy { index, pair in
            let fixed = min(8, max(0, bits - 8 * index))
            return fixed == 0 || (pair.0 ^ pair.1) >> UInt8(8 - fixed) == 0
        }
    }
}
