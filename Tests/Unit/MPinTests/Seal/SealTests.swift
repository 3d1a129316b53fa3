// SPDX-License-Identifier: Apache-2.0
// The golden values of the specification of the seal.
import MPin
import Octets
import Secrets
import Testing

@Suite struct SealGoldenTests {
    typealias Golden = SealGolden

    @Test func `the question, its hash and its tag`() throws {
        let question = try Golden.question()
        let key = try Golden.hostKey()
        #expect(
            try question.a
                == Golden.octets("8f590f18b8e0f3ee6de4e1b0728ea73938ae3cc20de7449a141816204d25d2da"))
        #expect(
            try key.tag(of: question)
                == Golden.octets("f5bbe29c6f0804881942d023befb5cbcbe0f73427a44aee6928e555bf9076747"))
        #expect(
            try question.octets == Golden.ascii("mpin ask 1") + [0, 0, 8] + Golden.ascii("prod-db1")
                + Golden.nonce.octets
                + [0, 4] + Golden.ascii("sshd") + [0, 5] + Golden.ascii("alice")
                + [0, 11] + Golden.ascii("203.0.113.9") + [0, 3] + Golden.ascii("ssh") + [0, 0, 90, 0, 1]
                + MilagroLogin.read().id.octets)
    }

    @Test func `the session's tag`() throws {
        let session = try #require(
            SealedSession(a: Golden.question().a, wid: Golden.wid, number: Golden.ascii("3232212"), life: 90))
        #expect(
            try Golden.hostKey().tag(of: session)
                == Golden.octets("a888129ad564aa93ef5b1a5cf4c25d527db76ce3e7723367a6184f3f6ef1cfc7"))
    }

    @Test func `the answer and its tag`() throws {
        let verdict = try Golden.verdict()
        #expect(verdict.octets.count == SealedVerdict.count)
        #expect(
            try Golden.hostKey().tag(of: verdict)
                == Golden.octets("ee768915cc1f8bcd42789bc631146c4f1fa5f0145f67d839a209ce556411a47e"))
    }

    @Test func `the standing of an account matches the specification`() throws {
        let key = try Golden.hostKey()
        let a = try Golden.question().a
        for (isRevoked, tag) in [
            (false, "f84742a38cda15af4a9f91b7ce8e670e5f742615ed0237cf002c1cf267faacaa"),
            (true, "1b7214fd1906682a960858ec5e093bda7d01d08363ad2ad05c1e4f47de92f47e"),
        ] {
            let standing = SealedStanding(a: a, isRevoked: isRevoked)
            #expect(standing.octets == Golden.ascii("mpin standing 1") + [0] + a.octets + [isRevoked ? 3 : 0])
            #expect(standing.octets.count == SealedStanding.count)
            #expect(try key.tag(of: standing) == Golden.octets(tag))
        }
    }

    @Test func `the phone's code`() throws {
        let code = try Golden.hostKey().phoneCode(a: Golden.question().a, wid: Golden.wid)
        #expect(Golden.octets(code) == Golden.ascii("JQKKMG"))
    }

    @Test func `the approval details`() throws {
        #expect(
            try Golden.seen().purpose
                == Golden.octets("97e3ded61bd49a1daa9a9880cb2c929c05bd5d5e0f06f860293ede809cf9b9c8"))
    }

    @Test func `y of a PIN, and of a second device`() throws {
        let login = try MilagroLogin.read()
        #expect(
            try challenge(
                n: Golden.n, id: login.id, u: login.u, ut: login.ut, purpose: PurposeHash(Golden.question().a)
            )
                == Golden.octets("093ddfcfde2dfd7723bde3f2b893f945e2af78c81ef7f61ba24fe237f5ff85a6"))
        #expect(
            try challenge(
                n: Golden.n, id: login.id, u: login.u, ut: login.ut, purpose: Golden.seen().purpose)
                == Golden.octets("0f8006e1b5e9ec58b7acd76bb683c9f6187dffdd03e44347d7515d45a41aba31"))
    }

    @Test func `the identifier of the join code and the key that it opens`() throws {
        let code = try OneTimeCode(typed: Golden.secret(Golden.ascii("BCDFGHJKLMNPQRST")))
        let joinKey = try code.joinKey(host: Golden.ascii("prod-db1"))
        let sealed = try Golden.octets(
            "c2aeaa3a2da93a88cecb3703230249f71a95946ee3689dc73e03e144861e46affc31740ac9ba9ab77729600edaf3e635"
        )
        #expect(try code.joinID() == Golden.octets("b56ea2afe16ef8b6257e547ebccb829b"))
        #expect(try Golden.hostKey().sealed(joinKey: joinKey) == sealed)
        let opened = try HostKey(
            name: Golden.ascii("prod-db1"), epoch: 1, sealedKey: sealed, joinKey: joinKey)
        #expect(Golden.octets(opened.key) == [UInt8](0...31))
    }

    @Test func `a share of the client secret`() throws {
        let login = try MilagroLogin.read()
        let key = try Golden.hostKey()
        let a = try Golden.question().a
        let sealed = try Golden.octets(
            "e79451030d866ffcca2df9acff255f619370d53271ca335f1e1acf59b55bf9e2"
                + "e471dd002e6897fc4cb4ee8c12b191892405eb99adb478ba84d31d111f788a49"
                + "b0c283ce6a6bf09a4b4a0c16080557c302")
        #expect(try key.seal(Golden.secret(login.share1), .first, a: a, id: login.id) == sealed)
        #expect(try Golden.octets(key.open(sealed, .first, a: a, id: login.id)) == login.share1)
    }

    @Test func `the tag of a one-time password`() throws {
        #expect(
            try Golden.hostKey().otpTag(
                Golden.secret(Golden.ascii("123456")), a: Golden.question().a, id: MilagroLogin.read().id)
                == Golden.octets("3ef1f545c97cb06839e3da9b130737f027ab7011baea74dada3a94b14a1dcc0a"))
    }
}
