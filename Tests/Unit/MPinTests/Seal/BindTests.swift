// SPDX-License-Identifier: Apache-2.0
// Binding a phone: golden values, the approval code of another phone, and refusals after a flipped bit.
import MPin
import Octets
import TestSupport
import Testing

@Suite struct BindTests {
    typealias Golden = SealGolden

    private let userID = Golden.ascii("vector@example.org")

    private func bind(userID: [UInt8], life: UInt16 = 90) throws -> Bind {
        try #require(
            Bind(
                host: Golden.ascii("prod-db1"), nonce: Golden.nonce, account: Golden.ascii("alice"),
                source: Golden.ascii("local:1000"), userID: userID, life: life))
    }

    private func bindCode(_ id: IdentityHash) throws -> [UInt8] {
        try Golden.octets(Golden.hostKey().bindCode(a: bind(userID: userID).a, wid: Golden.wid, id: id))
    }

    @Test func `question, answer, approval code and confirmation match the specification`() throws {
        let key = try Golden.hostKey()
        let bind = try bind(userID: userID)
        let id = try MilagroLogin.read().id
        #expect(
            try bind.a == Golden.octets("e49ced2d6cd80283710253b341c1742060f6ed924b8666a8e7d4ef55b2bb507c"))
        #expect(
            try key.tag(of: bind)
                == Golden.octets("4682166060f2f398888bee27650850f1a9095aeaeb2a050a4d9247f017958133"))
        #expect(try bindCode(id) == Golden.ascii("BKLKTR"))
        let answer = try #require(
            SealedBindAnswer(
                a: bind.a, verdict: .granted, id: id, userID: userID, registered: 1_795_218_263))
        #expect(
            try key.tag(of: answer)
                == Golden.octets("6a2f3485fc22c1e81526e119c952fcc5433b4bfe967c3c0543b658fd0c844376"))
        #expect(
            try key.bindDoneTag(a: bind.a, id: id)
                == Golden.octets("3d6f9ba50fa5cf77e71ae88e06cb51473e4a7de3b48aad72e95d51bf4be51e47"))
        let refused = SealedBindAnswer(a: bind.a, refused: .notApproved)
        #expect(
            try key.tag(of: refused)
                == Golden.octets("a381d942dbb4ccdf4ba48220be73602e4c023b2e49d97129d8a0b35ca0bbb0f2"))
        #expect(refused.octets.count == SealedBindAnswer.counts.lowerBound)
        let any = try self.bind(userID: [])
        #expect(
            try key.tag(of: any)
                == Golden.octets("2027044e58fe0cdfb75eff277bf4d923004e7d573ce4a811a7b04e58e268cc15"))
    }

    @Test func `a stranger's phone that scanned the QR code shows another approval code`() throws {
        let id = try MilagroLogin.read().id
        let bind = try bind(userID: userID)
        let key = try Golden.hostKey()
        var seen: Set<[UInt8]> = [try bindCode(id)]
        for bit in 0..<256 {
            let stranger = flipped(id, bit)
            let theirs = try bindCode(stranger)
            seen.insert(theirs)
            let isTaken = try key.isBindCode(Golden.secret(theirs), a: bind.a, wid: Golden.wid, id: id)
            #expect(!isTaken)
        }
        // There are 64 million codes, so no two of these are equal by chance.
        #expect(seen.count == 257)
        let typed = try Golden.secret(Golden.ascii("bkl-ktr"))
        let judged = try [
            key.isBindCode(typed, a: bind.a, wid: Golden.wid, id: id),
            key.isBindCode(typed, a: bind.a, wid: Golden.otherWID, id: id),
            key.isPhoneCode(typed, a: bind.a, wid: Golden.wid),
        ]
        #expect(judged == [true, false, false])
    }

    @Test func `a bind question with a flipped bit, or decoded as a login's question, is refused`() throws {
        let key = try Golden.hostKey()
        let bind = try bind(userID: userID)
        let tag = try key.tag(of: bind)
        #expect(Bind(decoding: bind.octets) == bind)
        #expect(SealedQuestion(decoding: bind.octets) == nil)
        #expect(try Bind(decoding: Golden.question().octets) == nil)
        for bit in 0..<bind.octets.count * 8 {
            guard let other = Bind(decoding: flipped(bind.octets, bit)) else { continue }
            let isTaken = key.verifies(tag, of: other)
            #expect(!isTaken)
        }
        for end in [bind.octets + [0], [UInt8](bind.octets.dropLast())] {
            #expect(Bind(decoding: end) == nil)
        }
        let judged = [key.verifies(tag, of: bind), key.verifies([], of: bind)]
        #expect(judged == [true, false])
        let long = [UInt8](repeating: 0x61, count: 256)
        for (host, account, source, user) in [
            ([], [1], [1], []), ([1], [], [1], []), ([1], [1], [], []), (long, [1], [1], []),
            ([1], [1], [1], long),
        ] as [([UInt8], [UInt8], [UInt8], [UInt8])] {
            let made = Bind(
                host: host, nonce: Golden.nonce, account: account, source: source, userID: user, life: 9)
            #expect(made == nil)
        }
    }

    @Test func `an answer with one bit flipped, to another question, or of another kind is refused`() throws {
        let key = try Golden.hostKey()
        let a = try bind(userID: userID).a
        let id = try MilagroLogin.read().id
        let answer = try #require(
            SealedBindAnswer(a: a, verdict: .granted, id: id, userID: userID, registered: 1))
        let tag = try key.tag(of: answer)
        #expect(key.open(bindAnswer: answer.octets, tag: tag, to: a) == answer)
        for bit in 0..<answer.octets.count * 8 {
            #expect(key.open(bindAnswer: flipped(answer.octets, bit), tag: tag, to: a) == nil)
        }
        for bit in 0..<256 {
            #expect(key.open(bindAnswer: answer.octets, tag: flipped(tag, bit), to: a) == nil)
        }
        #expect(key.open(bindAnswer: answer.octets, tag: tag, to: flipped(a, 0)) == nil)
        let other = try Golden.verdict()
        #expect(try key.open(bindAnswer: other.octets, tag: key.tag(of: other), to: other.a) == nil)
        #expect(SealedBindAnswer(decoding: answer.octets + [0]) == nil)
        let long = [UInt8](repeating: 0x61, count: 256)
        #expect(SealedBindAnswer(a: a, verdict: .granted, id: id, userID: long, registered: 0) == nil)
    }

    @Test func `the confirmation of one identity, or of one question, confirms no other`() throws {
        let key = try Golden.hostKey()
        let a = try bind(userID: userID).a
        let id = try MilagroLogin.read().id
        let tag = try key.bindDoneTag(a: a, id: id)
        let judged = [
            key.verifies(bindDone: tag, a: a, id: id), key.verifies(bindDone: tag, a: flipped(a, 3), id: id),
            key.verifies(bindDone: tag, a: a, id: flipped(id, 3)),
            key.verifies(bindDone: [], a: a, id: id),
        ]
        #expect(judged == [true, false, false, false])
        // A bind question is tagged with the same key, but its tag differs.
        #expect(try tag != key.tag(of: bind(userID: userID)))
    }
}
