// SPDX-License-Identifier: Apache-2.0
// The groups: the laws of addition, both multiplications, the hash.
import Pairing
import Secrets
import TestSupport
import Testing

@Suite struct `Groups` {
    @Test func `addition on the curve satisfies the laws`() throws {
        try expectLaws(
            G1.generator.point, (Scalar.random() * G1.generator).point,
            (Scalar.random() * G1.generator).point)
    }

    @Test func `addition on the twist satisfies the laws`() throws {
        try expectLaws(
            G2.generator.point, (Scalar.random() * G2.generator).point,
            (Scalar.random() * G2.generator).point)
    }

    /// Includes a doubling, a negative and infinity inside an addition, in arbitrary projective coordinates.
    private func expectLaws<C>(_ p: Point<C>, _ q: Point<C>, _ r: Point<C>) throws
    where C.Coordinate: Randomizable {
        let points = [p, q, r, .infinity, -p, q.doubled, p + q]
        for a in points {
            let scaled = try a.scaled(by: .random())
            #expect(scaled.equals(a))
            #expect((a + a).equals(a.doubled) && (a + scaled).equals(a.doubled))
            #expect((a + .infinity).equals(a) && (.infinity + a).equals(a))
            #expect((a - scaled).equals(.infinity) && (-a + a).equals(.infinity))
            let normal = a.normalized
            if !a.equals(.infinity) { #expect(Point<C>.onCurveMask(normal.x, normal.y) != 0) }
            for b in points {
                #expect((a + b).equals(b + a))
                #expect((a + b + r).equals(a + (b + r)))
                #expect((a - b + b).equals(a))
                #expect((a + b).doubled.equals(a.doubled + b.doubled))
            }
        }
        #expect(!p.equals(q) && !p.equals(-p) && !p.equals(.infinity))
    }

    @Test func `points normalised together equal those normalised alone`() throws {
        let points = try [Scalar.random(), Scalar.random(), Scalar.random()].map { ($0 * G1.generator) }
        let together = G1.affine([points[0], points[1], points[2]])
        for index in 0..<3 { #expect(together[index].octets == points[index].octets) }
        let infinity = points[0] - points[0]
        let none = G1.affine([points[0], infinity, points[2]])
        for index in 0..<3 { #expect(none[index].octets == nil) }
    }

    @Test func `multiplication in constant time equals double and add`() throws {
        let p = try Scalar.random() * G1.generator
        let q = try Scalar.random() * G2.generator
        for k in try Scalar.edges + (0..<40).map({ _ in try .random() }) {
            #expect((k * p).point.equals(p.multipliedVartime(by: k).point), "\(k.octets)")
            #expect((k * q).point.equals(q.multipliedVartime(by: k).point), "\(k.octets)")
        }
    }

    @Test func `multiplication is linear and has order r`() throws {
        let p = G1.generator
        let a = try Scalar.random()
        let b = try Scalar.random()
        #expect(((a + b) * p).point.equals((a * p + b * p).point))
        #expect(((a * b) * p).point.equals((a * (b * p)).point))
        #expect((-a * p).point.equals((-(a * p)).point))
        #expect((Scalar(0) * p).isInfinity && !(Scalar(1) * p).isInfinity)
        #expect((-Scalar(1) * p).point.equals((-p).point))
        #expect(p.point.multipliedVartime(by: BN254CX.Order.modulus).equals(.infinity))
        #expect(G2.generator.point.multipliedVartime(by: BN254CX.Order.modulus).equals(.infinity))
        let infinity = p - p
        #expect((a * infinity).isInfinity)
    }

    @Test func `a hash is on the curve with an even y`() throws {
        for _ in 0..<20 {
            let digest = try randomOctets(32)
            let octets = try #require(G1(hashing: digest).octets)
            #expect(octets.g1 != nil)
            #expect(octets[64] & 1 == 0)
        }
    }

    @Test func `scalars wrap at r, and are never zero when drawn at random`() {
        let r = BN254CX.Order.modulus
        func octets(_ limb: UInt64) -> [UInt8] {
            let limbs = [r[3], r[2], r[1], limb]
            return limbs.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        }
        func nonZero(_ octets: [UInt8]) -> [UInt8] { Scalar(nonZeroFrom: unsafe octets.span.bytes).octets }
        let one = Scalar(1).octets
        #expect(octets(r[0]).scalar == nil && octets(r[0] + 1).scalar == nil)
        #expect(octets(r[0] - 1).scalar?.octets == octets(r[0] - 1))
        #expect((-Scalar(1)).octets == octets(r[0] - 1))
        #expect((-Scalar(1) + Scalar(1)).isZero && Scalar(0).isZero && !Scalar(1).isZero)
        // v mod (r-1) + 1
        #expect(nonZero([UInt8](repeating: 0, count: 48)) == one)
        #expect(nonZero(octets(r[0] - 2)) == octets(r[0] - 1))
        #expect(nonZero(octets(r[0] - 1)) == one)
        #expect(nonZero(octets(r[0])) == Scalar(2).octets)
    }
}
