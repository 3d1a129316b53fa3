// SPDX-License-Identifier: Apache-2.0
// Values of fixed size for tests: from octets that must fit, or written as literals that zeros fill up.
package import Octets
import Testing

extension FixedOctets {
    /// The same octet, `count` times.
    package init(repeating octet: UInt8) {
        self = Self([UInt8](repeating: octet, count: Self.count)) ?? .zero
    }

    /// Fails the test for another number of octets.
    package init(exactly octets: some Sequence<UInt8>) throws { self = try #require(Self([UInt8](octets))) }

    /// Another value, which differs in this one octet.
    package func changed(at index: Int = 0) -> Self {
        var octets = octets
        octets[index] ^= 1
        return Self(octets) ?? .zero
    }
}

/// `[7]`: a seven, then zeros. `[]` is refused: it would read as "none".
extension FixedOctets: ExpressibleByArrayLiteral {
    package init(arrayLiteral octets: UInt8...) {
        precondition(!octets.isEmpty, "write .zero or nil")
        self = Self(octets + [UInt8](repeating: 0, count: max(0, Self.count - octets.count))) ?? .zero
    }
}
