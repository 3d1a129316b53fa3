// SPDX-License-Identifier: Apache-2.0
// Secrets of the authority, tokens and whole proofs compared with the vectors.
import MPin
import Octets
import Pairing
import Secrets
import Testing

@Suite struct `Vectors of the protocol` {
    @Test func `authorities issue the same secrets as the deployed ones`() throws {
        let sets = try Vector(file: "bn254cx-secrets")["vectors"].members(4)
        for set in sets.dropLast() {
            let share1 = try MasterShare(set["master_secret_share_1"].secret())
            let share2 = try MasterShare(set["master_secret_share_2"].secret())
            let whole = try MasterShare(set["master_secret_sum_mod_r"].secret())
            let server1 = try share1.serverSecretShare()
            let server2 = try share2.serverSecretShare()
            #expect(try server1.copy == set["server_secret_share_1"].octets)
            #expect(try server2.copy == set["server_secret_share_2"].octets)
            #expect(try serverSecret(server1, server2).copy == set["server_secret"].octets)
            #expect(try whole.serverSecretShare().copy == set["server_secret"].octets)
            for client in try set["clients"].members(5) {
                try expectClient(client, share1, share2, whole)
            }
        }
    }

    private func expectClient(
        _ client: Vector, _ share1: borrowing MasterShare, _ share2: borrowing MasterShare,
        _ whole: borrowing MasterShare
    ) throws {
        let hash = identityHash(try client["id"].octets)
        #expect(try hash.octets == client["hash_id"].octets)
        let client1 = try share1.clientSecretShare(of: hash)
        let client2 = try share2.clientSecretShare(of: hash)
        #expect(try client1.copy == client["client_secret_share_1"].octets)
        #expect(try client2.copy == client["client_secret_share_2"].octets)
        #expect(try clientSecret(client1, client2).copy == client["client_secret"].octets)
        #expect(try whole.clientSecretShare(of: hash).copy == client["client_secret"].octets)
        for permit in try client["time_permits"].members(3) {
            let date = try permit["date"].date
            let permit1 = try share1.timePermitShare(of: hash, date: date)
            let permit2 = try share2.timePermitShare(of: hash, date: date)
            #expect(try permit1 == permit["permit_share_1"].octets)
            #expect(try permit2 == permit["permit_share_2"].octets)
            #expect(try timePermit(permit1, permit2) == permit["permit"].octets)
            #expect(try whole.timePermitShare(of: hash, date: date) == permit["permit"].octets)
        }
    }

    @Test func `shares whose sum is infinity are refused`() throws {
        let set = try Vector(file: "bn254cx-secrets")["vectors"].members(4)[3]
        let share1 = try MasterShare(set["master_secret_share_1"].secret())
        let share2 = try MasterShare(set["master_secret_share_2"].secret())
        let server1 = try share1.serverSecretShare()
        let server2 = try share2.serverSecretShare()
        #expect(throws: MPinError.infinity) { _ = try serverSecret(server1, server2) }
        #expect(throws: MPinError.invalidScalar) {
            _ = try MasterShare(set["master_secret_sum_mod_r"].secret())
        }
    }

    @Test func `tokens equal those of the deployed cores`() throws {
        let file = try Vector(file: "bn254cx-tokens")
        for vector in try file["vectors"].members(72) {
            let pin = try vector["pin"].integer
            for (build, modulus) in [("4", 10_000), ("6", 1_000_000)] {
                let factor = try PINRule.number(modulus: modulus).factor(of: Secret("\(pin)"))
                try expectFactor(factor, vector["pin_used_\(build)_digit_build"].integer)
                let expected = try vector["token_\(build)_digit_build"].octets
                #expect(try token(vector, factor).octets.copy == expected)
            }
        }
        for vector in try file["factors"].members(10) {
            let factor = try Secret(scalarOctets(vector["factor"].integer))
            #expect(try token(vector, factor).octets.copy == vector["token"].octets)
        }
        for vector in try file["native_sdk_string_pins"].members(5) {
            let factor = try PINRule.milagroString.factor(of: Secret(vector["pin_string"].text))
            try expectFactor(factor, vector["multiplier_low_14_bits"].integer)
            #expect(try token(vector, factor).octets.copy == vector["token"].octets)
        }
    }

    private func token(_ vector: Vector, _ factor: borrowing Secret) throws -> Token {
        try Token(
            clientSecret: vector["client_secret"].secret(), mpinID: vector["id"].octets, factor: factor)
    }

    private func expectFactor(_ factor: borrowing Secret, _ number: Int) throws {
        let octets = factor.copy
        #expect(octets == scalarOctets(number))
    }

    @Test(arguments: try Vector(file: "bn254cx-auth")["vectors"].members(27))
    func `a proof has the same result as in the deployed server`(_ vector: Vector) throws {
        let rule = try PINRule.number(modulus: vector["maxpin"].integer)
        let id = try vector["id"].octets
        let registered = try rule.factor(of: Secret("\(vector["pin_registered"].integer)"))
        let issued = try Token(clientSecret: vector["client_secret"].secret(), mpinID: id, factor: registered)
        #expect(try issued.octets.copy == vector["token"].octets)

        let entered = try rule.factor(of: Secret("\(vector["pin_entered"].integer)"))
        let dated = try vector["date"].integer != 0
        let permit =
            try dated ? (date: vector["permit_date"].date, octets: vector["time_permit"].octets) : nil
        let proof = try ProofVector(vector, id: id, token: issued, factor: entered, permit: permit)
        try proof.expectPasses(vector)
        try proof.expectVerdict(vector)
    }
}

/// One proof of the vectors, as its client and its server see it.
private struct ProofVector {
    let u: [UInt8]
    let ut: [UInt8]
    let v: [UInt8]
    let sum: G1

    init(
        _ vector: Vector, id: [UInt8], token: borrowing Token, factor: borrowing Secret,
        permit: (date: UInt32, octets: [UInt8])?
    ) throws {
        // Some vectors use the permit of another day as if it were of the day that the server checks.
        let date = try vector["date"].date
        let pass = try PassOne(
            mpinID: id, token: token, factor: factor, permit: permit.map { (date, $0.octets) },
            x: vector["x"].secret())
        u = pass.u
        ut = pass.ut
        v = try pass.answer(y: vector["y"].fixed())
        let scalar = try #require(factor.withBytes { Scalar($0) })
        let whole = try #require(token.withOctets { G1($0) }) + scalar * G1(hashing: identityHash(id).octets)
        sum = try permit.map { try whole + #require($0.octets.g1) } ?? whole
    }

    /// Compares the values that the client sends, unless the vector says that they were tampered with on the
    /// way.
    func expectPasses(_ vector: Vector) throws {
        let name = try vector["name"].text
        #expect(try sum.octets == vector["SEC"].octets)
        if !name.hasPrefix("U replaced") { #expect(try u == vector["U"].octets) }
        if name != "U replaced" { #expect(try ut == (vector["UT"].isNull ? [] : vector["UT"].octets)) }
        let tampered = name.hasPrefix("V ") || name == "server used another challenge y"
        if !tampered { #expect(try v == vector["V"].octets) } else { #expect(try v != vector["V"].octets) }
    }

    func expectVerdict(_ vector: Vector) throws {
        let dated = try vector["date"].integer != 0
        let claimed = try vector["claimed_id"].octets
        let identity = G1(hashing: identityHash(claimed).octets)
        #expect(try identity.octets == vector["HID"].octets)
        let secret = try vector["server_secret"].secret()
        let verifier = try Verifier(serverSecret: secret)
        let accepted = try verifier.verify(
            mpinID: claimed, date: dated ? vector["date"].date : nil, u: vector["U"].octets,
            ut: dated ? vector["UT"].octets : [], y: vector["y"].fixed(), v: vector["V"].octets)
        #expect(try accepted == (vector["result"].integer == 0))
        guard !accepted else { return }

        let error = try PINError(
            serverSecret: vector["server_secret"].g2, identity: identity,
            base: dated ? vector["HTID"].g1 : identity, u: vector["U"].g1,
            commitment: vector[dated ? "UT" : "U"].g1, y: vector["y"].scalar, v: vector["V"].g1)
        #expect(try error.e.octets == vector["E"].octets)
        #expect(try error.f.octets == vector["F"].octets)
        if !vector["pin_error_expected"].isNull {
            let found = try error.search(bound: vector["maxpin"].integer)
            #expect(try found == vector["pin_error_expected"].integer)
        }
    }
}

func scalarOctets(_ number: Int) -> [UInt8] {
    (0..<32).map { $0 < 24 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (31 - $0))) }
}
