// SPDX-License-Identifier: Apache-2.0
// The laws of a field, on random and on extreme values, for every level of the tower.
import Pairing
import Secrets
import Testing

@Suite struct `Fields` {
    @Test func `the base field satisfies the laws`() throws {
        let edges: [Fp] = [.zero, .one, -.one, Fp(2), -Fp(2), Fp(.max), Fp(2).inverse, -Fp(2).inverse]
        try expectLaws(edges + (0..<8).map { _ in try .random() })
    }

    @Test func `the field of scalars satisfies the laws`() throws {
        typealias Fr = PrimeField<4, BN254CX.Order>
        try expectLaws([.zero, .one, -.one, Fr(.max), Fr(2).inverse] + (0..<8).map { _ in try .random() })
    }

    @Test func `the quadratic extension satisfies the laws`() throws {
        let edges: [Fp2] = [.zero, .one, -.one, Fp2(.zero, .one), Fp2(-.one, -.one), Fp2(.one, -.one)]
        try expectLaws(edges + (0..<6).map { _ in try .random() })
    }

    @Test func `the sextic extension satisfies the laws`() throws {
        let v = Fp6(.zero, .one, .zero)
        try expectLaws(
            [.zero, .one, -.one, v, Fp6(.zero, .zero, -.one)] + (0..<3).map { _ in try .random() })
    }

    @Test func `the field of the pairing satisfies the laws`() throws {
        try expectLaws([.zero, -.one, Fp12(.zero, .one)] + (0..<3).map { _ in try .random() })
    }

    private func expectLaws<F: Field>(_ values: [F]) throws {
        for a in values {
            #expect((a + .zero).equals(a) && (a * .one).equals(a) && (a * .zero).equals(.zero))
            #expect((a - a).equals(.zero) && (a + -a).equals(.zero) && (-(-a)).equals(a))
            #expect(a.doubled.equals(a + a) && a.squared.equals(a * a))
            #expect((a * a.inverse).equals(a.equals(.zero) ? .zero : .one))
            #expect(a.zeroMask == (a.equals(.zero) ? .max : 0))
            for b in values {
                #expect((a + b).equals(b + a) && (a * b).equals(b * a) && (a - b).equals(-(b - a)))
                #expect((a - b + b).equals(a))
                #expect(a.chosen(by: .max, over: b).equals(a) && a.chosen(by: 0, over: b).equals(b))
                let c = values[values.count - 1]
                #expect(((a + b) + c).equals(a + (b + c)) && ((a * b) * c).equals(a * (b * c)))
                #expect(((a + b) * c).equals(a * c + b * c))
                #expect(F.sum(a, b, c, a).equals(a * b + c * a))
            }
        }
    }

    @Test func `results may overwrite their operands`() throws {
        func expectAliasing<F: Field & Randomizable>(_ type: F.Type) throws {
            let a = try F.random()
            let b = try F.random()
            var x = a
            x = x * x
            #expect(x.equals(a.squared))
            x = a
            x = x + x
            #expect(x.equals(a.doubled))
            x = a
            x = b - x
            #expect(x.equals(b - a))
            x = a
            x = F.sum(x, x, b, x)
            #expect(x.equals(a * a + b * a))
        }
        try expectAliasing(Fp.self)
        try expectAliasing(Fp2.self)
        try expectAliasing(Fp6.self)
        try expectAliasing(Fp12.self)
    }

    @Test func `sums of six extreme products are right`() {
        let top = -Fp.one
        let six = Fp.sum(
            InlineArray<6, Fp>(repeating: top), InlineArray<6, Fp>(repeating: top))
        #expect(six.equals(Fp(6)))
        let mixed = Fp.sum([top, Fp(2), top, Fp(3), top], [Fp(5), top, top, Fp(7), Fp(.max)])
        #expect(mixed.equals(top * Fp(5) + Fp(2) * top + top * top + Fp(21) + top * Fp(.max)))
    }

    @Test func `the root of a square is correct, and a non-square has none`() throws {
        for _ in 0..<10 {
            let a = try Fp.random()
            let root = a.squared.squareRoot
            #expect(root.equals(a) || root.equals(-a))
            // -1 is not a square, because p = 3 mod 4.
            #expect(!(-a.squared).squareRoot.squared.equals(-a.squared))
        }
    }

    @Test func `octets of any length are reduced as by Horner's scheme`() throws {
        for count in [0, 1, 31, 32, 33, 48, 64, 100] {
            let octets = try randomOctets(count)
            let horner = octets.reduce(Fp.zero) { $0 * Fp(256) + Fp(UInt64($1)) }
            #expect(unsafe Fp(reducing: octets.span.bytes).equals(horner))
        }
    }
}
