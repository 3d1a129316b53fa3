// SPDX-License-Identifier: Apache-2.0
// The quadratic extension F(i), with i^2 = -1, of a prime field with p = 3 mod 4.

/// A prime field that computes sums of products with one reduction, as the tower needs.
package protocol TowerBase: Field {
    /// a0 b0 + a1 b1 + ..., up to six products.
    static func sum<let k: Int>(_ a: InlineArray<k, Self>, _ b: InlineArray<k, Self>) -> Self
}

extension PrimeField: TowerBase {}

/// The element re + im i.
package struct Quadratic<F: TowerBase>: Field {
    package var re: F
    package var im: F

    @inline(__always)
    package init(_ re: F, _ im: F) {
        self.re = re
        self.im = im
    }

    package static var zero: Self { Self(.zero, .zero) }
    package static var one: Self { Self(.one, .zero) }

    @inline(__always)
    package static func + (a: Self, b: Self) -> Self { Self(a.re + b.re, a.im + b.im) }

    @inline(__always)
    package static func - (a: Self, b: Self) -> Self { Self(a.re - b.re, a.im - b.im) }

    @inline(__always)
    package static prefix func - (a: Self) -> Self { Self(-a.re, -a.im) }

    package static func * (a: Self, b: Self) -> Self {
        Self(F.sum(a.re, b.re, a.im, -b.im), F.sum(a.re, b.im, a.im, b.re))
    }

    /// The square, (re + im)(re - im) + 2 re im i.
    package var squared: Self { Self((re + im) * (re - im), re.doubled * im) }

    package static func * (a: Self, b: F) -> Self { Self(a.re * b, a.im * b) }

    /// This element times xi = 1 + i, the non-residue from which the tower is built.
    @inline(__always)
    package var timesXi: Self { Self(re - im, re + im) }

    /// The power p, which is the complex conjugate.
    @inline(__always)
    package var conjugate: Self { Self(re, -im) }

    package var inverse: Self {
        let norm = F.sum(re, re, im, im).inverse
        return Self(re * norm, -im * norm)
    }

    package var zeroMask: UInt64 { re.zeroMask & im.zeroMask }

    /// Chooses coefficient by coefficient, without a branch.
    @inline(__always)
    package func chosen(by mask: UInt64, over other: Self) -> Self {
        Self(re.chosen(by: mask, over: other.re), im.chosen(by: mask, over: other.im))
    }

    /// a0 b0 + a1 b1 + a2 b2 with one reduction for each coordinate.
    @inline(__always)
    static func sum(_ a: (Self, Self, Self), _ b: (Self, Self, Self)) -> Self {
        Self(
            F.sum(
                [a.0.re, a.0.im, a.1.re, a.1.im, a.2.re, a.2.im],
                [b.0.re, -b.0.im, b.1.re, -b.1.im, b.2.re, -b.2.im]),
            F.sum(
                [a.0.re, a.0.im, a.1.re, a.1.im, a.2.re, a.2.im],
                [b.0.im, b.0.re, b.1.im, b.1.re, b.2.im, b.2.re]))
    }

    /// ab + cd with delayed reductions.
    package static func sum(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self {
        Self(
            F.sum([a.re, a.im, c.re, c.im], [b.re, -b.im, d.re, -d.im]),
            F.sum([a.re, a.im, c.re, c.im], [b.im, b.re, d.im, d.re]))
    }
}
