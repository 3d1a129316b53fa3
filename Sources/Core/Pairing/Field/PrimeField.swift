// SPDX-License-Identifier: Apache-2.0
// A prime field in Montgomery form, generic over the number of limbs.

/// The constants of a prime p with n limbs; p is odd and below 2^(64n) / 7, and R = 2^(64n).
package protocol FieldParameters: Sendable {
    associatedtype Limbs: Sendable
    static var modulus: Limbs { get }
    /// -p^-1 mod 2^64.
    static var inverse: UInt64 { get }
    /// R mod p, which is the number one in Montgomery form.
    static var one: Limbs { get }
    /// R^2 mod p, which converts an integer into Montgomery form.
    static var radixSquared: Limbs { get }
}

/// A field element a, stored as aR mod p, always below p.
package struct PrimeField<let n: Int, P: FieldParameters>: Field where P.Limbs == InlineArray<n, UInt64> {
    var limbs: InlineArray<n, UInt64>

    @inline(__always)
    init(montgomery limbs: InlineArray<n, UInt64>) { self.limbs = limbs }

    package static var zero: Self { Self(montgomery: InlineArray(repeating: 0)) }
    package static var one: Self { Self(montgomery: P.one) }

    /// The sum of k <= 6 products, with one reduction for all of them: P. Longa, "Efficient Algorithms for
    /// Large Prime Characteristic Fields and Their Application to Bilinear Pairings" (ePrint 2022/367),
    /// algorithm 2. As p < R/7, the running sum stays below (k+1)p < R, and the result below (k/7 + 1)p < 2p.
    /// It is not inlined, and it loops over all products after the second: unrolled into its callers it would
    /// keep the optimizer busy for minutes and run no faster.
    @inline(never)
    package static func sum<let k: Int>(_ a: InlineArray<k, Self>, _ b: InlineArray<k, Self>) -> Self {
        products(a, b)
    }

    @inline(__always)
    private static func products<let k: Int>(_ a: InlineArray<k, Self>, _ b: InlineArray<k, Self>) -> Self {
        let p = P.modulus
        var t = InlineArray<n, UInt64>(repeating: 0)
        unrolled(n) { i in
            var top: UInt64 = 0
            if k > 0 { top = top &+ accumulate(into: &t, a[0], b[0].limbs[i]) }
            if k > 1 { top = top &+ accumulate(into: &t, a[1], b[1].limbs[i]) }
            if k > 2 { for place in 2..<k { top = top &+ accumulate(into: &t, a[place], b[place].limbs[i]) } }
            let m = t[0] &* P.inverse
            var carry: UInt64 = 0
            _ = multiplyAdd(t[0], m, times: p[0], carry: &carry)
            unrolled(n &- 1) { j in t[j] = multiplyAdd(t[j &+ 1], m, times: p[j &+ 1], carry: &carry) }
            t[n &- 1] = top &+ carry
        }
        return Self(montgomery: Natural(t).reduced(p).limbs)
    }

    @inline(__always)
    private static func accumulate(into t: inout InlineArray<n, UInt64>, _ a: Self, _ b: UInt64) -> UInt64 {
        var carry: UInt64 = 0
        unrolled(n) { t[$0] = multiplyAdd(t[$0], a.limbs[$0], times: b, carry: &carry) }
        return carry
    }

    @inline(never)
    package static func * (a: Self, b: Self) -> Self { products([a], [b]) }

    /// ab + cd with one reduction.
    package static func sum(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self { sum([a, c], [b, d]) }

    package static func + (a: Self, b: Self) -> Self {
        var t = a.limbs
        var carry: UInt64 = 0
        unrolled(n) { t[$0] = add(a.limbs[$0], b.limbs[$0], carry: &carry) }
        return Self(montgomery: Natural(t).reduced(P.modulus).limbs)
    }

    package static func - (a: Self, b: Self) -> Self {
        let p = P.modulus
        var t = a.limbs
        var borrow: UInt64 = 0
        unrolled(n) { t[$0] = subtract(a.limbs[$0], b.limbs[$0], borrow: &borrow) }
        let wrapped = mask(borrow)
        var carry: UInt64 = 0
        unrolled(n) { t[$0] = add(t[$0], p[$0] & wrapped, carry: &carry) }
        return Self(montgomery: t)
    }

    package static prefix func - (a: Self) -> Self { zero - a }

    package var squared: Self { self * self }

    package var zeroMask: UInt64 {
        var all: UInt64 = 0
        unrolled(n) { all |= limbs[$0] }
        return maskIfZero(all)
    }

    /// Chooses limb by limb, without a branch.
    @inline(__always)
    package func chosen(by mask: UInt64, over other: Self) -> Self {
        var t = limbs
        unrolled(n) { t[$0] = choose(by: mask, limbs[$0], other.limbs[$0]) }
        return Self(montgomery: t)
    }
}
