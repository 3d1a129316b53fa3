// SPDX-License-Identifier: Apache-2.0
// Points of y^2 = x^3 + b in homogeneous coordinates, added by complete formulas, which have no special
// cases.

/// A curve y^2 = x^3 + b without a point of order two. The formulas below are complete on such a curve.
package protocol Curve: Sendable {
    associatedtype Coordinate: Field
    static var b: Coordinate { get }
    /// 3ba.
    static func times3b(_ a: Coordinate) -> Coordinate
    /// The lattice basis by which a scalar is split into two halves.
    static var halves: HalfScalars { get }
    /// The endomorphism that multiplies by the eigenvalue of `halves`.
    static func endomorphism(_ point: Point<Self>) -> Point<Self>
}

/// The point (X/Z, Y/Z); infinity is (0, 1, 0). The formulas are those of J. Renes, C. Costello, L. Batina,
/// "Complete Addition Formulas for Prime Order Elliptic Curves" (ePrint 2015/1060), section 3.3 (a = 0),
/// algorithms 7 and 9.
package struct Point<C: Curve>: Sendable {
    typealias Coordinate = C.Coordinate

    package var x: C.Coordinate
    package var y: C.Coordinate
    package var z: C.Coordinate

    init(x: C.Coordinate, y: C.Coordinate, z: C.Coordinate) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// A point given by affine coordinates that are known to lie on the curve.
    package init(x: C.Coordinate, y: C.Coordinate) { self.init(x: x, y: y, z: .one) }

    package static var infinity: Self { Self(x: .zero, y: .one, z: .zero) }

    package static prefix func - (a: Self) -> Self { Self(x: a.x, y: -a.y, z: a.z) }

    package static func - (a: Self, b: Self) -> Self { a + -b }

    package static func + (a: Self, b: Self) -> Self {
        let xx = a.x * b.x
        let yy = a.y * b.y
        let xy = Coordinate.sum(a.x, b.y, a.y, b.x)
        let yz = Coordinate.sum(a.y, b.z, a.z, b.y)
        let xz3b = C.times3b(Coordinate.sum(a.x, b.z, a.z, b.x))
        let zz3b = C.times3b(a.z * b.z)
        let xx3 = xx.doubled + xx
        let plus = yy + zz3b
        let minus = yy - zz3b
        return Self(
            x: .sum(xy, minus, -yz, xz3b), y: .sum(minus, plus, xz3b, xx3), z: .sum(yz, plus, xx3, xy))
    }

    package var doubled: Self {
        let yy = y.squared
        let yy8 = yy.doubled.doubled.doubled
        let zz3b = C.times3b(z.squared)
        let difference = yy - (zz3b.doubled + zz3b)
        return Self(
            x: (difference * (x * y)).doubled, y: .sum(zz3b, yy8, difference, yy + zz3b), z: y * z * yy8)
    }

    var infinityMask: UInt64 { z.zeroMask }

    /// All ones if both are the same point, otherwise zero.
    package func equalMask(_ other: Self) -> UInt64 {
        (x * other.z).equalMask(other.x * z) & (y * other.z).equalMask(other.y * z)
    }

    /// The same points with z = 1, by one inversion for all (P. Montgomery, "Speeding the Pollard and
    /// Elliptic Curve Methods of Factorization", section 10.3.1). If one of them is infinity, all become (0,
    /// 0, 0).
    package static func normalized<let k: Int>(_ points: InlineArray<k, Self>) -> InlineArray<k, Self> {
        var result = points
        var product = C.Coordinate.one
        for index in 0..<k {
            result[index].z = product
            product = product * points[index].z
        }
        var inverse = product.inverse
        for index in 0..<k {
            let place = k &- 1 &- index
            let own = inverse * result[place].z
            inverse = inverse * points[place].z
            result[place] = Self(x: points[place].x * own, y: points[place].y * own, z: points[place].z * own)
        }
        return result
    }

    /// The same point with z = 1; (0, 0, 0) for infinity.
    package var normalized: Self { Self.normalized([self])[0] }

    /// All ones if affine coordinates satisfy y^2 = x^3 + b, otherwise zero.
    package static func onCurveMask(_ x: C.Coordinate, _ y: C.Coordinate) -> UInt64 {
        y.squared.equalMask(x.squared * x + C.b)
    }

    @inline(__always)
    func chosen(by mask: UInt64, over other: Self) -> Self {
        Self(
            x: x.chosen(by: mask, over: other.x), y: y.chosen(by: mask, over: other.y),
            z: z.chosen(by: mask, over: other.z))
    }
}
