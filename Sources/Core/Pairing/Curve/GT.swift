// SPDX-License-Identifier: Apache-2.0
// The group GT of pairing values.
import Secrets

/// An element of order r in Fp12.
package struct GT: Sendable {
    package let value: BN254CX.Fp12

    init(_ value: BN254CX.Fp12) { self.value = value }

    package static var one: Self { Self(.one) }

    package static func * (a: Self, b: Self) -> Self { Self(a.value * b.value) }

    /// The inverse, which is the conjugate in this group.
    package var inverse: Self { Self(value.conjugate) }

    package var isOne: Bool { revealed(value.equalMask(.one)) }

    /// 384 octets: the coefficients of w^0, w^3, w^1, w^4, w^2, w^5 in this order, each as its real and its
    /// imaginary part (32 octets, big-endian), as in Milagro's core library.
    package var octets: [UInt8] {
        let coefficients = value.coefficients
        let order: InlineArray<6, Int> = [0, 3, 1, 4, 2, 5]
        var octets = [UInt8](repeating: 0, count: 384)
        var span = octets.mutableSpan
        var bytes = unsafe span.mutableBytes
        for index in 0..<6 {
            bytes.write(coefficients[order[index]].re.integer, at: 64 * index)
            bytes.write(coefficients[order[index]].im.integer, at: 64 * index + 32)
        }
        return octets
    }
}
