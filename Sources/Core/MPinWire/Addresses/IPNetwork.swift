// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses, as settings write them.
import Octets

/// All addresses with the same prefix: `192.0.2.0/24`, `2001:db8::/32`, or one address.
package struct IPNetwork: Equatable, Sendable {
    private let first: IPAddress
    /// The number of leading bits that are compared.
    private let prefix: Int

    /// Whether all addresses of a family are in this network.
    package var isBoundless: Bool { prefix == 0 }

    // Not inlined: each key of mpin.conf that takes networks would have a copy, 2 KB of the module.
    /// Reads a network. The bits after the prefix are ignored.
    @inline(never) package init?(_ text: [UInt8]) {
        let parts = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let first = IPAddress([UInt8](parts[0])) else { return nil }
        let bits = first.octets.count * 8
        guard let prefix = parts.count == 1 ? bits : wholeNumber([UInt8](parts[1]), in: 0...bits) else {
            return nil
        }
        self.first = first
        self.prefix = prefix
    }

    /// Reads a network whose bits after the prefix are zero.
    package init?(exactly text: [UInt8]) {
        self.init(text)
        let hasMore = first.octets.enumerated().contains { $1 & ~mask(at: $0) != 0 }
        guard !hasMore else { return nil }
    }

    /// Whether the address is in this network; an address of another family never is.
    package func contains(_ address: IPAddress) -> Bool {
        guard address.octets.count == first.octets.count else { return false }
        return zip(first.octets, address.octets).enumerated().allSatisfy { index, pair in
            (pair.0 ^ pair.1) & mask(at: index) == 0
        }
    }

    /// The bits of one octet that belong to the prefix.
    private func mask(at index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: 0xff00 >> min(max(prefix - index * 8, 0), 8))
    }
}
