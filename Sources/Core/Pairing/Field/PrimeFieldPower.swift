// SPDX-License-Identifier: Apache-2.0
// Conversion of prime field elements from and to integers and octets; powers with public exponents, inverse
// and square root.

extension PrimeField {
    /// The element of an integer below p.
    init(_ integer: Natural<n>) {
        self = Self(montgomery: integer.limbs) * Self(montgomery: P.radixSquared)
    }

    /// The element of a small integer.
    package init(_ small: UInt64) {
        var limbs = InlineArray<n, UInt64>(repeating: 0)
        limbs[0] = small
        self.init(Natural(limbs))
    }

    /// The element of any number of octets, big-endian, modulo p.
    package init(reducing octets: RawSpan) { self.init(Natural(octets, modulo: P.modulus)) }

    /// The element of 8n octets, big-endian, from `offset` on. Sets `valid` to zero unless the integer is
    /// below p.
    init(_ octets: RawSpan, at offset: Int, valid: inout UInt64) {
        let integer = Natural<n>(octets, at: offset)
        valid &= integer.lessMask(P.modulus)
        self.init(integer)
    }

    /// The integer below p that this element stands for.
    var integer: Natural<n> {
        var one = InlineArray<n, UInt64>(repeating: 0)
        one[0] = 1
        return Natural((self * Self(montgomery: one)).limbs)
    }

    /// The power with a public exponent, computed in windows of four bits.
    func power(_ exponent: Natural<n>) -> Self {
        var powers = InlineArray<16, Self>(repeating: .one)
        for index in 1..<16 { powers[index] = powers[index - 1] * self }
        var result = Self.one
        for window in 0..<16 &* n {
            for _ in 0..<4 { result = result.squared }
            let octet = exponent.octet(window &>> 1)
            let digit = window & 1 == 0 ? octet &>> 4 : octet & 15
            if digit != 0 { result = result * powers[Int(digit)] }
        }
        return result
    }

    /// The inverse as a^(p-2) (Fermat); zero for zero.
    package var inverse: Self {
        var exponent = P.modulus
        var borrow: UInt64 = 2
        for index in 0..<n { exponent[index] = subtract(exponent[index], 0, borrow: &borrow) }
        return power(Natural(exponent))
    }

    /// a^((p+1)/4), which is a square root of a if a is a square and p = 3 mod 4.
    package var squareRoot: Self {
        var exponent = P.modulus
        for index in 0..<n {
            let upper = index + 1 < n ? exponent[index + 1] : 0
            exponent[index] = exponent[index] &>> 2 | upper &<< 62
        }
        exponent[0] = exponent[0] &+ 1
        return power(Natural(exponent))
    }
}
