// SPDX-License-Identifier: Apache-2.0
// One registration and one login recorded from Milagro's own programs, with every value.
import MPin
import Octets
import Pairing
import Secrets
import Testing

@Suite struct `Vectors of a Milagro login` {
    let login: Vector
    let id: [UInt8]
    let hash: IdentityHash

    init() throws {
        login = try Vector(file: "milagro-login")
        id = try login["mpin_id_hex"].octets
        hash = identityHash(id)
    }

    @Test func `a registration makes the token of Milagro's client`() throws {
        #expect(try id == Array(login["mpin_id"].text.utf8))
        #expect(try hash.octets == login["hash_mpin_id"].octets)
        let share1 = try MasterShare(login["s1"].secret())
        let share2 = try MasterShare(login["s2"].secret())
        let server1 = try share1.serverSecretShare()
        let server2 = try share2.serverSecretShare()
        #expect(try server1.copy == login["server_secret_share1"].octets)
        #expect(try server2.copy == login["server_secret_share2"].octets)
        #expect(try serverSecret(server1, server2).copy == login["server_secret"].octets)
        let client1 = try share1.clientSecretShare(of: hash)
        let client2 = try share2.clientSecretShare(of: hash)
        #expect(try client1.copy == login["client_secret_share1"].octets)
        #expect(try client2.copy == login["client_secret_share2"].octets)
        let client = try clientSecret(client1, client2)
        #expect(try client.copy == login["client_secret"].octets)
        let permit1 = try share1.timePermitShare(of: hash, date: login["date"].date)
        let permit2 = try share2.timePermitShare(of: hash, date: login["date"].date)
        #expect(try permit1 == login["time_permit_share1"].octets)
        #expect(try permit2 == login["time_permit_share2"].octets)
        #expect(try timePermit(permit1, permit2) == login["time_permit"].octets)
        let factor = try PINRule.milagroString.factor(of: Secret(login["pin_string"].text))
        let octets = factor.copy
        #expect(try octets == scalarOctets(login["pin_int"].integer % 10_000))
        let token = try Token(clientSecret: client, mpinID: id, factor: factor)
        #expect(try token.octets.copy == login["token"].octets)
    }

    @Test(arguments: [
        ("login_nopermit_good", 9442, false), ("login_permit_good", 9442, true),
        ("login_permit_wrong_pin_9445", 9445, true),
    ])
    func `a login sends and computes the same values as Milagro's`(_ name: String, _ pin: Int, _ dated: Bool)
        throws
    {
        let expected = login[name]
        let date = try login["date"].date
        let factor = try Secret(scalarOctets(pin))
        let token = try Token(login["token"].secret())
        let pass = try PassOne(
            mpinID: id, token: token, factor: factor,
            permit: dated ? (date, login["time_permit"].octets) : nil, x: login["x"].secret())
        let u = pass.u
        let ut = pass.ut
        #expect(try u == expected["U"].octets)
        #expect(try ut == (dated ? expected["UT"].octets : []))
        let y: Challenge = try login["y"].fixed()
        let v = try pass.answer(y: y)
        #expect(try v == expected["V"].octets)

        let verifier = try Verifier(serverSecret: login["server_secret"].secret())
        let accepted = try verifier.verify(
            mpinID: id, date: dated ? date : nil, u: u, ut: ut, y: y, v: v)
        #expect(try accepted == (expected["server2"].integer == 0))
        try expectBetween(expected, pin, dated)
    }

    /// The intermediate values, which neither side sends.
    private func expectBetween(_ expected: Vector, _ pin: Int, _ dated: Bool) throws {
        let identity = G1(hashing: hash.octets)
        #expect(try identity.octets == expected["HID"].octets)
        let whole = try login["token"].g1 + Scalar(UInt64(pin)) * identity
        #expect(try (dated ? whole + login["time_permit"].g1 : whole).octets == expected["SEC"].octets)
        if dated {
            let days = try login["date"].integer
            let octets = (0..<4).map { UInt8(truncatingIfNeeded: days >> (24 - 8 * $0)) }
            let base = identity + G1(hashing: sha256(octets + hash.octets))
            #expect(try base.octets == expected["HTID"].octets)
        } else {
            #expect(expected["HTID"].isNull && expected["UT"].isNull)
        }
        guard !expected["E"].isNull else { return }
        let error = try PINError(
            serverSecret: login["server_secret"].g2, identity: identity, base: expected["HTID"].g1,
            u: expected["U"].g1, commitment: expected["UT"].g1, y: login["y"].scalar, v: expected["V"].g1)
        #expect(try error.e.octets == expected["E"].octets)
        #expect(try error.f.octets == expected["F"].octets)
        #expect(error.search(bound: 10_000) == 3)
    }
}
