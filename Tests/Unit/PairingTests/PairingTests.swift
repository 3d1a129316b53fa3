// SPDX-License-Identifier: Apache-2.0
// The pairing is bilinear, of order r and not degenerate.
import Pairing
import TestSupport
import Testing

@Suite struct `The pairing` {
    private func e(_ q: G2, _ p: G1) throws -> GT {
        let value = pairing(try PreparedG2(q), p)
        return try #require(value)
    }

    @Test func `both sides are linear`() throws {
        let (p1, p2) = try (Scalar.random() * G1.generator, Scalar.random() * G1.generator)
        let (q1, q2) = try (Scalar.random() * G2.generator, Scalar.random() * G2.generator)
        let a = try Scalar.random()
        #expect(try e(q1, p1 + p2).octets == (e(q1, p1) * e(q1, p2)).octets)
        #expect(try e(q1 + q2, p1).octets == (e(q1, p1) * e(q2, p1)).octets)
        #expect(try e(a * q1, p1).octets == e(q1, a * p1).octets)
        #expect(try e(a * q1, p1).octets == power(e(q1, p1), a.octets).octets)
        #expect(try e(-q1, p1).octets == e(q1, p1).inverse.octets)
        #expect(try e(q1, -p1).octets == e(q1, p1).inverse.octets)
    }

    @Test func `a value has order r and is not one`() throws {
        let value = try e(.generator, .generator)
        #expect(!value.isOne)
        #expect(power(value, (-Scalar(1)).octets).octets == value.inverse.octets)
        #expect((value * value.inverse).isOne && GT.one.isOne)
        #expect(value.value.cyclotomicSquared.equals(value.value.squared))
    }

    @Test func `a product of two pairings equals the two multiplied`() throws {
        let (p1, p2) = try (Scalar.random() * G1.generator, Scalar.random() * G1.generator)
        let (q1, q2) = try (Scalar.random() * G2.generator, Scalar.random() * G2.generator)
        let lines1 = try PreparedG2(q1)
        let lines2 = try PreparedG2(q2)
        let product = pairingProduct(lines1, p1, lines2, p2)
        #expect(try product?.octets == (e(q1, p1) * e(q2, p2)).octets)
        let cancelled = pairingProduct(lines1, p1, lines1, -p1)
        #expect(cancelled?.isOne == true)
    }

    @Test func `coordinates of one point do not change its value`() throws {
        let p = try Scalar.random() * G1.generator
        let affine = try #require(p.octets?.g1)
        #expect(try e(.generator, p).octets == e(.generator, affine).octets)
    }

    @Test func `infinity has no value`() throws {
        let infinity = G1.generator - G1.generator
        let lines = try PreparedG2(.generator)
        let single = pairing(lines, infinity)
        let left = pairingProduct(lines, infinity, lines, .generator)
        let right = pairingProduct(lines, .generator, lines, infinity)
        #expect(single == nil && left == nil && right == nil)
    }

    private func power(_ base: GT, _ exponent: [UInt8]) -> GT {
        var result = GT.one
        for octet in exponent {
            for bit in 0..<8 {
                result = result * result
                if (octet >> UInt8(7 - bit)) & 1 == 1 { result = result * base }
            }
        }
        return result
    }
}
