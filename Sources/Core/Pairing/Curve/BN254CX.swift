// SPDX-License-Identifier: Apache-2.0
// The constants of BN254CX, Milagro's curve, each with the formula that gives it.

/// A Barreto-Naehrig curve (P. Barreto, M. Naehrig, "Pairing-Friendly Elliptic Curves of Prime Order", SAC
/// 2005) with u = -0x4000000003c012b1. The field constants are in Montgomery form, R = 2^256.
package enum BN254CX {
    /// |u|; u itself is negative.
    package static var u: InlineArray<1, UInt64> { [0x4000_0000_03c0_12b1] }
    /// |6u + 2|, the 65 bits that the Miller loop runs over.
    package static var loop: InlineArray<2, UInt64> { [0x8000_0000_1680_7024, 0x0000_0000_0000_0001] }

    /// p = 36u^4 + 36u^3 + 24u^2 + 6u + 1, 254 bits, 3 mod 4.
    package enum Base: FieldParameters {
        package static var modulus: InlineArray<4, UInt64> {
            [0xbe66_23ef_5c1b_55b3, 0x243f_d6ee_1809_3ee1, 0xb0bd_df64_7a63_66d3, 0x2400_0000_0870_2a0d]
        }
        package static var inverse: UInt64 { 0xef4e_205b_f978_9e85 }
        package static var one: InlineArray<4, UInt64> {
            [0xcb35_0474_7b40_a81b, 0x0241_1f7d_57bf_47d3, 0x2ace_e440_a748_303a, 0x03ff_ffff_c4ee_d9a0]
        }
        package static var radixSquared: InlineArray<4, UInt64> {
            [0x1ab5_6897_efb9_b4e3, 0xa691_c071_3a43_1a9c, 0xb09d_2443_2010_d99d, 0x0984_f987_7b26_5a33]
        }
    }

    /// r = 36u^4 + 36u^3 + 18u^2 + 6u + 1, the order of all three groups.
    package enum Order: FieldParameters {
        package static var modulus: InlineArray<4, UInt64> {
            [0xbe11_c0a6_36eb_1f6d, 0xc43f_d6ee_0cc9_06ce, 0xb0bd_df64_7a63_66d2, 0x2400_0000_0870_2a0d]
        }
        package static var inverse: UInt64 { 0x77a1_aafa_9a63_3d9b }
        package static var one: InlineArray<4, UInt64> {
            [0xcd83_bb74_7f92_2405, 0xa241_1f7d_a680_d058, 0x2ace_e440_a748_303c, 0x03ff_ffff_c4ee_d9a0]
        }
        package static var radixSquared: InlineArray<4, UInt64> {
            [0x7c88_2d12_fb96_bfae, 0xa28f_033a_656f_a449, 0xfac7_8569_46c1_7599, 0x104e_0b77_e15d_4cd6]
        }
    }

    /// The prime field of the curve.
    package typealias Fp = PrimeField<4, Base>
    /// Fp(i), with i^2 = -1.
    package typealias Fp2 = Quadratic<Fp>
    /// Fp2(v), with v^3 = xi.
    package typealias Fp6 = Sextic<Fp>
    /// Fp6(w), with w^2 = v.
    package typealias Fp12 = Dodecic<Fp>

    /// gamma = xi^((p-1)/6), with w^p = gamma w.
    package static var gamma: Fp2 {
        Fp2(
            Fp(montgomery: [
                0xa903_e51f_4054_b5ef, 0x6305_4ad5_b8fd_d5ed, 0x1102_1a91_766d_d4a5, 0x2083_80b9_98b0_9b1d,
            ]),
            Fp(montgomery: [
                0x1562_3ed0_1bc6_9fc4, 0xc13a_8c18_5f0b_68f4, 0x9fbb_c4d3_03f5_922d, 0x037c_7f46_6fbf_8ef0,
            ]))
    }

    /// E: y^2 = x^3 + 2, of prime order r.
    package enum One: Curve {
        package static var b: Fp { Fp.one.doubled }
        /// 3ba = 6a.
        package static func times3b(_ a: Fp) -> Fp { (a.doubled + a).doubled }

        /// lambda = -(36u^3 + 18u^2 + 6u + 2), a root of x^2 + x + 1 modulo r. The lattice has the basis
        /// (2u + 1, 6u^2 + 4u + 1), (6u^2 + 2u, -2u - 1); 2u + 1 is negative.
        package static var halves: HalfScalars {
            HalfScalars(
                g1: [0x8e38_e38d_98e0_70c0, 0x0000_0000_0000_0003, 0x0000_0000_0000_0000],
                g2: [0x3feb_d450_b1ad_a3ad, 0xaaaa_aaaa_5aa9_1bee, 0x0000_0000_0000_0002],
                m1: 0x0000_0000_0000_0000_8000_0000_0780_2561, m2: 0x6000_0000_0b40_3812_8054_6349_1db0_10e4,
                n1: 0x6000_0000_0b40_3812_0054_6349_162f_eb83, n2: 0x0000_0000_0000_0000_8000_0000_0780_2561)
        }

        /// (x, y) -> (beta x, y), with beta = -(18u^3 + 18u^2 + 9u + 2), a root of x^2 + x + 1 modulo p.
        package static func endomorphism(_ point: Point<Self>) -> Point<Self> {
            let beta = Fp(
                montgomery: [
                    0x9e80_b02c_547a_21ed, 0xbd8e_1496_4e3e_4ad2, 0xf9d7_766d_4e4a_00a9,
                    0x0638_a276_74da_45ed,
                ])
            return Point(x: point.x * beta, y: point.y, z: point.z)
        }

        /// (-1, 1).
        static var generator: Point<Self> { Point(x: -.one, y: .one) }
    }

    /// E': y^2 = x^3 + 2/xi = x^3 + (1 - i), the twist of type D. Its order is r (2p - r); both factors are
    /// odd. (x, y) -> (x w^2, y w^3) maps E' into E.
    package enum Two: Curve {
        package static var b: Fp2 { Fp2(.one, -.one) }
        /// 3ba = 3(1 - i)a.
        package static func times3b(_ a: Fp2) -> Fp2 {
            let product = Fp2(a.re + a.im, a.im - a.re)
            return product.doubled + product
        }

        /// On the subgroup of order r, psi multiplies by p, which is t - 1 = 6u^2 modulo r. The lattice has
        /// the vector (6u^2, -1). Subtracting a multiple of it leaves little more than 6u^2, so the other
        /// vector is not needed.
        package static var halves: HalfScalars {
            HalfScalars(
                g1: [0, 0, 0],
                g2: [0xb1b2_f0c3_18cd_32f4, 0xaaaa_aaaa_5aa9_1bea, 0x0000_0000_0000_0002],
                m1: 0, m2: 0x6000_0000_0b40_3813_0054_6349_2530_3646,
                n1: 0, n2: 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff)
        }

        /// 6u^2.
        static var eigenvalue: InlineArray<2, UInt64> { [0x0054_6349_2530_3646, 0x6000_0000_0b40_3813] }

        /// psi maps into E, raises to the power p and maps back: (x, y) -> (x* gamma^2, y* gamma^3), where *
        /// is the conjugation.
        package static func endomorphism(_ point: Point<Self>) -> Point<Self> {
            let gamma2 = gamma.squared
            return Point(
                x: point.x.conjugate * gamma2, y: point.y.conjugate * (gamma2 * gamma), z: point.z.conjugate)
        }

        /// The generator that MIRACL and Milagro publish for this curve.
        static var generator: Point<Self> {
            Point(
                x: Fp2(
                    Fp(montgomery: [
                        0x6aad_9091_388f_6576, 0xb5c8_b4ad_f6be_b204, 0xbb79_d0e8_92a3_5c0d,
                        0x09ef_3698_4784_3c3d,
                    ]),
                    Fp(montgomery: [
                        0x3306_4bbd_0b7c_86d5, 0x122f_497b_6b07_45dd, 0x8687_4a99_b8ad_23cd,
                        0x1a80_2142_aba5_644a,
                    ])),
                y: Fp2(
                    Fp(montgomery: [
                        0xe497_2c6f_f85d_ea45, 0xd3fe_0c82_233b_38eb, 0x142f_84ed_4040_6b83,
                        0x0ede_2f7a_76b1_fd05,
                    ]),
                    Fp(montgomery: [
                        0x9067_bb92_dec3_9ecd, 0xa45b_0506_2e08_54e4, 0x5803_f968_6275_535c,
                        0x0780_2067_7aa4_3d35,
                    ])))
        }
    }
}
