// SPDX-License-Identifier: Apache-2.0
// Multiplication of a point by a secret in constant time, and by a public integer in variable time.

/// A short basis of the lattice {(s, t): s + t e = 0 mod r} for the eigenvalue e of an endomorphism. With it,
/// a scalar k is split into halves with k = k1 + k2 e (R. Gallant, R. Lambert, S. Vanstone, "Faster Point
/// Multiplication on Elliptic Curves with Efficient Endomorphisms", CRYPTO 2001, section 4).
///
/// Here (k1, k2) = (k, 0) - q1 (m1, -n1) - q2 (m2, n2), where q = floor(k g / 2^256), and
/// g = round(2^256 n / r) with the other vector's n. As k < r, the rounding of g changes q by less than 1/14,
/// so q is off by -1/14 ... 15/14. The halves therefore stay below 15/14 (m1 + m2) and 15/14 (n1 + n2), which
/// fits into 128 bits with a sign, so they are computed modulo 2^128.
package struct HalfScalars: Sendable {
    let g1: InlineArray<3, UInt64>
    let g2: InlineArray<3, UInt64>
    let m1: UInt128
    let m2: UInt128
    let n1: UInt128
    let n2: UInt128

    func split(_ k: Natural<4>) -> (UInt128, UInt128) {
        let q1 = Self.scaled(k, g1)
        let q2 = Self.scaled(k, g2)
        let low = UInt128(truncatingIfNeeded: k.limbs[1]) &<< 64 | UInt128(truncatingIfNeeded: k.limbs[0])
        return (low &- q1 &* m1 &- q2 &* m2, q1 &* n1 &- q2 &* n2)
    }

    /// floor(k g / 2^256) modulo 2^128.
    private static func scaled(_ k: Natural<4>, _ g: InlineArray<3, UInt64>) -> UInt128 {
        var t = InlineArray<7, UInt64>(repeating: 0)
        unrolled(3) { i in
            var carry: UInt64 = 0
            unrolled(4) { j in t[i &+ j] = multiplyAdd(t[i &+ j], k.limbs[j], times: g[i], carry: &carry) }
            t[i &+ 4] = carry
        }
        return UInt128(truncatingIfNeeded: t[5]) &<< 64 | UInt128(truncatingIfNeeded: t[4])
    }
}

/// A half scalar k as 32 digits from -8 to 7: the four-bit digits of k + 0x88...8, minus 8 each. This is
/// correct for -0x88...8 <= k <= 0x77...7.
private struct SignedDigits {
    let shifted: UInt128

    init(_ half: UInt128) { shifted = half &+ 0x8888_8888_8888_8888_8888_8888_8888_8888 }

    /// Digit `index`, counted from the least significant: its magnitude, and a mask of all ones if it is
    /// negative.
    @inline(__always)
    func digit(_ index: Int) -> (magnitude: UInt64, negative: UInt64) {
        let nibble = UInt64(truncatingIfNeeded: shifted &>> UInt128(truncatingIfNeeded: 4 &* index)) & 15
        let digit = nibble &- 8
        let negative = mask(digit &>> 63)
        return ((digit ^ negative) &- negative, negative)
    }
}

/// P, 2P, ... 8P. Every access reads all of them.
private struct Table<C: Curve> {
    var multiples: InlineArray<8, Point<C>>

    init(_ point: Point<C>) {
        multiples = InlineArray(repeating: point)
        for index in 1..<8 {
            multiples[index] =
                index & 1 == 1 ? multiples[index &>> 1].doubled : multiples[index &- 1] + point
        }
    }

    /// The multiples of the point's image under the curve's endomorphism.
    init(image table: Self) {
        multiples = table.multiples
        for index in 0..<8 { multiples[index] = C.endomorphism(multiples[index]) }
    }

    subscript(_ digit: (magnitude: UInt64, negative: UInt64)) -> Point<C> {
        var result = Point<C>.infinity
        for index in 0..<8 {
            let mask = maskIfZero(digit.magnitude ^ UInt64(truncatingIfNeeded: index &+ 1))
            result = multiples[index].chosen(by: mask, over: result)
        }
        result.y = (-result.y).chosen(by: digit.negative, over: result.y)
        return result
    }
}

extension Point {
    /// k times this point, which must be in the subgroup of order r. The time and the memory accesses depend
    /// neither on k nor on the point.
    func multiplied(by k: Natural<4>) -> Self {
        let (half1, half2) = C.halves.split(k)
        let digits1 = SignedDigits(half1)
        let digits2 = SignedDigits(half2)
        let table = Table(self)
        let image = Table(image: table)
        var result = Self.infinity
        for step in 0..<32 {
            if step > 0 { for _ in 0..<4 { result = result.doubled } }
            let index = 31 &- step
            result = result + table[digits1.digit(index)]
            result = result + image[digits2.digit(index)]
        }
        return result
    }

    /// k times this point by double and add: the time depends on k, but not on the point.
    package func multipliedVartime<let n: Int>(by k: InlineArray<n, UInt64>) -> Self {
        let k = Natural(k)
        var result = Self.infinity
        for index in 0..<64 &* n {
            result = result.doubled
            if k.bit(64 &* n &- 1 &- index) { result = result + self }
        }
        return result
    }
}
