// SPDX-License-Identifier: Apache-2.0
// The cubic extension F(i)(v) of the quadratic one, with v^3 = xi = 1 + i.

/// The element c0 + c1 v + c2 v^2.
package struct Sextic<F: TowerBase>: Field {
    typealias Coefficient = Quadratic<F>

    var c0: Quadratic<F>
    var c1: Quadratic<F>
    var c2: Quadratic<F>

    @inline(__always)
    package init(_ c0: Quadratic<F>, _ c1: Quadratic<F>, _ c2: Quadratic<F>) {
        self.c0 = c0
        self.c1 = c1
        self.c2 = c2
    }

    package static var zero: Self { Self(.zero, .zero, .zero) }
    package static var one: Self { Self(.one, .zero, .zero) }

    package static func + (a: Self, b: Self) -> Self { Self(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2) }

    package static func - (a: Self, b: Self) -> Self { Self(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2) }

    package static prefix func - (a: Self) -> Self { Self(-a.c0, -a.c1, -a.c2) }

    /// Multiplies by the schoolbook method: with sums of products it is faster than Karatsuba's (P. Longa,
    /// ePrint 2022/367, section 4).
    package static func * (a: Self, b: Self) -> Self {
        let xb1 = b.c1.timesXi
        let xb2 = b.c2.timesXi
        return Self(
            Coefficient.sum((a.c0, a.c1, a.c2), (b.c0, xb2, xb1)),
            Coefficient.sum((a.c0, a.c1, a.c2), (b.c1, b.c0, xb2)),
            Coefficient.sum((a.c0, a.c1, a.c2), (b.c2, b.c1, b.c0)))
    }

    /// This element times b0 + b1 v.
    package func timesSparse(_ b0: Quadratic<F>, _ b1: Quadratic<F>) -> Self {
        Self(
            Coefficient.sum(c0, b0, c2, b1.timesXi),
            Coefficient.sum(c1, b0, c0, b1),
            Coefficient.sum(c2, b0, c1, b1))
    }

    package var squared: Self { self * self }

    /// This element times v.
    @inline(__always)
    package var timesV: Self { Self(c2.timesXi, c0, c1) }

    /// The inverse (a + b v + c v^2) / N with a = c0^2 - xi c1 c2, b = xi c2^2 - c0 c1, c = c1^2 - c0 c2 and
    /// N = c0 a + xi (c2 b + c1 c) (M. Scott, "Implementing cryptographic pairings", Pairing 2007, section
    /// 3).
    package var inverse: Self {
        let a = c0.squared - (c1 * c2).timesXi
        let b = c2.squared.timesXi - c0 * c1
        let c = c1.squared - c0 * c2
        let norm = (c0 * a + (c2 * b + c1 * c).timesXi).inverse
        return Self(a * norm, b * norm, c * norm)
    }

    package var zeroMask: UInt64 { c0.zeroMask & c1.zeroMask & c2.zeroMask }

    /// Chooses coefficient by coefficient, without a branch.
    package func chosen(by mask: UInt64, over other: Self) -> Self {
        Self(
            c0.chosen(by: mask, over: other.c0), c1.chosen(by: mask, over: other.c1),
            c2.chosen(by: mask, over: other.c2))
    }
}
