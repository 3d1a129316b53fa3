// SPDX-License-Identifier: Apache-2.0
// Constants, hashes and pairing values compared with the vectors.
import MPin
import Octets
import Pairing
import Secrets
import TestSupport
import Testing

@Suite struct `Vectors of the pairing` {
    typealias Fp = BN254CX.Fp

    @Test func `the constants match the vectors`() throws {
        let file = try Vector(file: "bn254cx-constants")
        #expect(try hex(file["p"].text) == limbs(BN254CX.Base.modulus))
        #expect(try hex(file["r"].text) == limbs(BN254CX.Order.modulus))
        #expect(try hex(file["u"].text) == [BN254CX.u[0]])
        #expect(try hex(file["loop_6u_plus_2"].text) == [BN254CX.loop[0], BN254CX.loop[1]])
        #expect(try Fp(UInt64(file["b"].integer)).equalMask(BN254CX.One.b) != 0)
        #expect(try file["G1_generator"].octets == G1.generator.octets)
        #expect(try file["G2_generator"].octets == G2.generator.octets)
        let montgomery = file["montgomery_4x64"]
        #expect(try hex(montgomery["R_mod_p"].text) == limbs(BN254CX.Base.one))
        #expect(try hex(montgomery["R2_mod_p"].text) == limbs(BN254CX.Base.radixSquared))
        #expect(try hex(montgomery["minus_p_inverse_mod_2_64"].text) == [BN254CX.Base.inverse])
        let twist = try fp2(file["twist_b"]["re"], file["twist_b"]["im"])
        #expect(twist.equalMask(BN254CX.Two.b) != 0)
        let gamma = try file["frobenius_gamma_xi_pow_(p-1)/6"].members(2)
        #expect(try fp2(gamma[0], gamma[1]).equalMask(BN254CX.gamma) != 0)
        let value = pairing(try PreparedG2(.generator), .generator)
        #expect(try value?.octets == file["e_G2_G1_final_exponent_(p^12-1)/r"].octets)
    }

    @Test func `the endomorphism multiplies x by beta and the point by lambda`() throws {
        let file = try Vector(file: "bn254cx-constants")
        let beta = try file["cube_root_of_unity_beta"].octets.fp
        let lambda = try padded(hex(file["lambda_with_beta"].text))
        let point = G1.generator.point
        let image = BN254CX.One.endomorphism(point)
        #expect(image.equalMask(Point(x: point.x * beta, y: point.y)) != 0)
        #expect(image.equalMask(point.multipliedVartime(by: lambda)) != 0)
    }

    @Test func `trace and cofactors fit the orders`() throws {
        let file = try Vector(file: "bn254cx-constants")
        // p + 1 - t = r annihilates E(Fp); r h2 annihilates the twist. A known point of the twist lies
        // outside the subgroup.
        let trace = try padded(hex(file["trace"].text))
        let r = BN254CX.Order.modulus
        let p = BN254CX.Base.modulus
        let left = G1.generator.point.multipliedVartime(by: p) + G1.generator.point
        #expect(left.equalMask(G1.generator.point.multipliedVartime(by: trace)) != 0)
        #expect(try file["G1_cofactor"].text == "1")
        let h2 = try padded(hex(file["G2_cofactor"].text))
        let outside = try Vector(file: "bn254cx-invalid")["G2"].members(9)[1]["input"].octets
        let x = fp2(outside, 0)
        let y = fp2(outside, 64)
        let point = Point<BN254CX.Two>(x: x, y: y)
        let killed = point.multipliedVartime(by: r)
        #expect(killed.equalMask(.infinity) == 0)
        #expect(killed.multipliedVartime(by: h2).equalMask(.infinity) != 0)
    }

    @Test func `identities are hashed as in the deployed software`() throws {
        for vector in try Vector(file: "bn254cx-hash-to-g1")["vectors"].members(20) {
            let hash = identityHash(try vector["id"].octets)
            let point = G1(hashing: hash.octets)
            let name = try vector["name"].text
            #expect(try hash.octets == vector["hash_id"].octets, "\(name)")
            #expect(try point.octets == vector["point"].octets, "\(name)")
            try expectIncrements(vector, point, hash.octets)
            for dated in try vector["dated"].members(5) {
                let date = try dated["date"].date
                let digest = sha256(
                    (0..<4).map { UInt8(truncatingIfNeeded: date >> (24 - 8 * $0)) } + hash.octets)
                let datedPoint = G1(hashing: digest)
                #expect(try digest == dated["hash"].octets, "\(name)")
                #expect(try datedPoint.octets == dated["point"].octets, "\(name)")
                #expect(try (point + datedPoint).octets == dated["HTID"].octets, "\(name)")
                try expectIncrements(dated, datedPoint, digest)
            }
        }
    }

    private func expectIncrements(_ vector: Vector, _ point: G1, _ digest: [UInt8]) throws {
        let x = try digest.fp + Fp(UInt64(vector["x_increments"].integer))
        #expect(x.equalMask(point.point.x) != 0)
    }

    @Test func `pairing values use the final exponent (p^12 - 1) over r`() throws {
        for vector in try Vector(file: "bn254cx-pairing")["vectors"].members(6) {
            let a = try vector["a"].scalar
            let b = try vector["b"].scalar
            let p = a * G1.generator
            let q = b * G2.generator
            #expect(try p.octets == vector["P"].octets)
            #expect(try q.octets == vector["Q"].octets)
            #expect(try pairing(PreparedG2(q), p)?.octets == vector["e_Q_P"].octets)
            let both = a * b * G1.generator
            #expect(try both.octets == (vector["ab_mod_r"].scalar * G1.generator).octets)
            #expect(try pairing(PreparedG2(.generator), both)?.octets == vector["e_Q_P"].octets)
        }
    }
}

private func limbs(_ value: InlineArray<4, UInt64>) -> [UInt64] { value.indices.map { value[$0] } }

/// The limbs, lowest first, of an integer in hex, with or without 0x and sign.
private func hex(_ text: String) throws -> [UInt64] {
    var digits = text.drop { $0 == "-" }
    if digits.hasPrefix("0x") { digits = digits.dropFirst(2) }
    var limbs: [UInt64] = []
    while !digits.isEmpty {
        limbs.append(try #require(UInt64(digits.suffix(16), radix: 16)))
        digits = digits.dropLast(16)
    }
    return limbs
}

private func padded(_ value: [UInt64]) -> InlineArray<4, UInt64> {
    var limbs = InlineArray<4, UInt64>(repeating: 0)
    for (index, limb) in value.enumerated() { limbs[index] = limb }
    return limbs
}

private func fp2(_ re: Vector, _ im: Vector) throws -> BN254CX.Fp2 { try fp2(re.octets + im.octets, 0) }

private func fp2(_ octets: [UInt8], _ start: Int) -> BN254CX.Fp2 {
    BN254CX.Fp2(Array(octets[start..<start + 32]).fp, Array(octets[start + 32..<start + 64]).fp)
}
