// SPDX-License-Identifier: Apache-2.0
// The top field of the tower: F(i)(v)(w) with w^2 = v, so that w^6 = xi.

/// The element even + odd w.
package struct Dodecic<F: TowerBase>: Field {
    var even: Sextic<F>
    var odd: Sextic<F>

    package init(_ even: Sextic<F>, _ odd: Sextic<F>) {
        self.even = even
        self.odd = odd
    }

    package static var zero: Self { Self(.zero, .zero) }
    package static var one: Self { Self(.one, .zero) }

    package static func + (a: Self, b: Self) -> Self { Self(a.even + b.even, a.odd + b.odd) }

    package static func - (a: Self, b: Self) -> Self { Self(a.even - b.even, a.odd - b.odd) }

    package static prefix func - (a: Self) -> Self { Self(-a.even, -a.odd) }

    /// Karatsuba's method, with three products of `Sextic`.
    package static func * (a: Self, b: Self) -> Self {
        let even = a.even * b.even
        let odd = a.odd * b.odd
        let mixed = (a.even + a.odd) * (b.even + b.odd)
        return Self(even + odd.timesV, mixed - even - odd)
    }

    /// Needs two products of `Sextic`: (even + odd)(even + v odd) = even^2 + v odd^2 + (1 + v) even odd.
    package var squared: Self {
        let product = even * odd
        let mixed = (even + odd) * (even + odd.timesV)
        return Self(mixed - product - product.timesV, product.doubled)
    }

    /// This element times the line 1 + a w + b w^3.
    package func timesLine(_ a: Quadratic<F>, _ b: Quadratic<F>) -> Self {
        Self(even + odd.timesSparse(a, b).timesV, odd + even.timesSparse(a, b))
    }

    package var inverse: Self {
        let norm = (even.squared - odd.squared.timesV).inverse
        return Self(even * norm, -odd * norm)
    }

    /// The power p^6, which is the inverse of an element whose order divides p^6 + 1.
    package var conjugate: Self { Self(even, -odd) }

    /// The power p, which maps w^k to gamma^k w^k, with gamma = xi^((p-1)/6).
    package func frobenius(_ gamma: Quadratic<F>) -> Self {
        let gamma2 = gamma.squared
        let gamma3 = gamma2 * gamma
        let gamma4 = gamma2.squared
        return Self(
            Sextic(even.c0.conjugate, even.c1.conjugate * gamma2, even.c2.conjugate * gamma4),
            Sextic(
                odd.c0.conjugate * gamma, odd.c1.conjugate * gamma3,
                odd.c2.conjugate * (gamma4 * gamma)))
    }

    package var zeroMask: UInt64 { even.zeroMask & odd.zeroMask }

    /// Chooses coefficient by coefficient, without a branch.
    package func chosen(by mask: UInt64, over other: Self) -> Self {
        Self(even.chosen(by: mask, over: other.even), odd.chosen(by: mask, over: other.odd))
    }

    /// The coefficients of w^0 ... w^5.
    var coefficients: InlineArray<6, Quadratic<F>> { [even.c0, odd.c0, even.c1, odd.c1, even.c2, odd.c2] }
}

extension Dodecic {
    /// The square of an element whose order divides p^4 - p^2 + 1 (R. Granger and M. Scott, "Faster Squaring
    /// in the Cyclotomic Subgroup of Sixth Degree Extensions", ePrint 2009/565, section 3.2). Over F(i)(w^3)
    /// the element is a + b w + c w^2. Its square is (3a^2 - 2a*) + (3 w^3 c^2 + 2b*) w + (3b^2 - 2c*) w^2,
    /// where * is the conjugation.
    package var cyclotomicSquared: Self {
        let a = Self.fourSquared(even.c0, odd.c1)
        let b = Self.fourSquared(odd.c0, even.c2)
        let c = Self.fourSquared(even.c1, odd.c2)
        return Self(
            Sextic(
                Self.tripled(a.0, minus: even.c0), Self.tripled(b.0, minus: even.c1),
                Self.tripled(c.0, minus: even.c2)),
            Sextic(
                Self.tripled(c.1.timesXi, plus: odd.c0), Self.tripled(a.1, plus: odd.c1),
                Self.tripled(b.1, plus: odd.c2)))
    }

    /// (x + y w^3)^2 = (x^2 + xi y^2) + 2xy w^3.
    @inline(__always)
    private static func fourSquared(_ x: Quadratic<F>, _ y: Quadratic<F>) -> (Quadratic<F>, Quadratic<F>) {
        (x.squared + y.squared.timesXi, (x * y).doubled)
    }

    /// 3a - 2b.
    @inline(__always)
    private static func tripled(_ a: Quadratic<F>, minus b: Quadratic<F>) -> Quadratic<F> {
        (a - b).doubled + a
    }

    /// 3a + 2b.
    @inline(__always)
    private static func tripled(_ a: Quadratic<F>, plus b: Quadratic<F>) -> Quadratic<F> {
        (a + b).doubled + a
    }
}
