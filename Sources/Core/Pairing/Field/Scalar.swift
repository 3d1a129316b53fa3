// SPDX-License-Identifier: Apache-2.0
// Integers modulo the order r of the groups.
import Secrets

/// A multiplier, 0 ... r-1. It exists only during a computation; its stored octets are a `Secret`.
package struct Scalar: Sendable {
    /// The length of an encoded scalar, big-endian.
    package static let octetCount = 32

    var value: PrimeField<4, BN254CX.Order>

    init(_ value: PrimeField<4, BN254CX.Order>) { self.value = value }

    /// Decodes exactly 32 octets, big-endian; nil unless the number is below r.
    package init?(_ octets: RawSpan) {
        guard octets.byteCount == Self.octetCount else { return nil }
        var valid = ~UInt64(0)
        value = PrimeField(octets, at: 0, valid: &valid)
        guard revealed(valid) else { return nil }
    }

    /// The scalar of a small integer.
    package init(_ small: UInt64) { value = PrimeField(small) }

    /// The scalar of any number of octets, big-endian, modulo r.
    package init(reducing octets: RawSpan) { value = PrimeField(reducing: octets) }

    /// A scalar from 1 to r-1 made of random octets: their remainder modulo r-1, plus 1. With 48 octets, the
    /// probabilities of two values differ by a factor of at most 1 + 2^-130 (FIPS 186-5, A.2.1).
    package init(nonZeroFrom octets: RawSpan) {
        var orderLessOne = BN254CX.Order.modulus
        orderLessOne[0] = orderLessOne[0] &- 1
        var remainder = Natural(octets, modulo: orderLessOne)
        var carry: UInt64 = 1
        for index in 0..<4 { remainder.limbs[index] = add(remainder.limbs[index], 0, carry: &carry) }
        value = PrimeField(remainder)
    }

    package static func + (a: Self, b: Self) -> Self { Self(a.value + b.value) }
    package static func * (a: Self, b: Self) -> Self { Self(a.value * b.value) }
    package static prefix func - (a: Self) -> Self { Self(-a.value) }

    package var isZero: Bool { revealed(value.zeroMask) }

    /// Writes 32 octets, big-endian.
    package func encode(into octets: inout MutableRawSpan) { octets.write(value.integer, at: 0) }
}

extension MutableRawSpan {
    /// Writes 32 octets, big-endian; does nothing if they do not fit.
    mutating func write(_ integer: Natural<4>, at offset: Int) {
        guard offset >= 0, offset <= byteCount - 32 else { return }
        for index in 0..<32 {
            storeBytes(of: integer.octet(index), toByteOffset: offset + index, as: UInt8.self)
        }
    }
}
