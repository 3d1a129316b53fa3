// SPDX-License-Identifier: Apache-2.0
// The tower: its shortcuts against plain multiplication, and the Frobenius map.
import Pairing
import Testing

@Suite struct `The tower` {
    private let xi = Fp2(.one, .one)
    private let v = Fp6(.zero, .one, .zero)
    private let w = Fp12(.zero, .one)

    @Test func `i, v and w satisfy their equations`() {
        let i = Fp2(.zero, .one)
        #expect((i * i).equals(-.one))
        #expect((v * v * v).equals(Fp6(xi, .zero, .zero)))
        #expect((w * w).equals(Fp12(v, .zero)))
        #expect(power(w, 6).equals(Fp12(Fp6(xi, .zero, .zero), .zero)))
    }

    @Test func `gamma is the sixth root of the (p-1)-power of xi`() throws {
        // gamma^6 = xi^(p-1) = conj(xi) / xi.
        #expect(power(BN254CX.gamma, 6).equals(xi.conjugate * xi.inverse))
    }

    @Test func `shortcuts equal the plain multiplications`() throws {
        for _ in 0..<5 {
            let a = try Fp2.random()
            let b = try Fp2.random()
            let six = try Fp6.random()
            let twelve = try Fp12.random()
            #expect(a.timesXi.equals(a * xi))
            #expect(six.timesV.equals(six * v))
            #expect(six.timesSparse(a, b).equals(six * Fp6(a, b, .zero)))
            #expect(twelve.timesLine(a, b).equals(twelve * Fp12(.one, Fp6(a, b, .zero))))
            #expect((a * a.re).equals(a * Fp2(a.re, .zero)))
        }
    }

    @Test func `the Frobenius map is the p-power and an automorphism of order twelve`() throws {
        let a = try Fp12.random()
        let b = try Fp12.random()
        let p = BN254CX.Base.modulus
        var byPower = Fp12.one
        for bit in stride(from: 255, through: 0, by: -1) {
            byPower = byPower.squared
            if (p[bit / 64] >> UInt64(bit % 64)) & 1 == 1 { byPower = byPower * a }
        }
        #expect(a.frobenius(BN254CX.gamma).equals(byPower))
        #expect(
            (a * b).frobenius(BN254CX.gamma).equals(
                a.frobenius(BN254CX.gamma) * b.frobenius(BN254CX.gamma)))
        var image = a
        for step in 1...12 {
            image = image.frobenius(BN254CX.gamma)
            if step == 6 { #expect(image.equals(a.conjugate)) }
            #expect(image.equals(a) == (step == 12))
        }
    }

    @Test func `the square in the cyclotomic subgroup equals the plain square`() throws {
        // The power p^6 - 1, and then p^2 + 1, maps any element into the subgroup.
        let f = try Fp12.random()
        let half = f.conjugate * f.inverse
        let g = half.frobenius(BN254CX.gamma).frobenius(BN254CX.gamma) * half
        #expect(g.cyclotomicSquared.equals(g.squared))
        #expect((g * g.conjugate).equals(.one))
        #expect(!f.cyclotomicSquared.equals(f.squared))
    }

    private func power<F: Field>(_ a: F, _ exponent: Int) -> F {
        (0..<exponent).reduce(F.one) { product, _ in product * a }
    }
}
