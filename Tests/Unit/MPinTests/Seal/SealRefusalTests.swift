// SPDX-License-Identifier: Apache-2.0
// Refusals by the seal: any flipped bit, any other question, key, way, host, epoch or length.
import Foundation
import MPin
import Octets
import Secrets
import TestSupport
import Testing

@Suite struct SealRefusalTests {
    typealias Golden = SealGolden

    @Test func `an answer or tag with one bit flipped is refused`() throws {
        let key = try Golden.hostKey()
        let verdict = try Golden.verdict()
        let tag = try key.tag(of: verdict)
        #expect(try key.open(answer: verdict.octets, tag: tag, to: verdict.a, by: .pin) == verdict)
        for bit in 0..<verdict.octets.count * 8 {
            #expect(throws: AnswerRefusal.wrongTag) {
                try key.open(answer: flipped(verdict.octets, bit), tag: tag, to: verdict.a, by: .pin)
            }
        }
        for bit in 0..<256 {
            #expect(throws: AnswerRefusal.wrongTag) {
                try key.open(answer: verdict.octets, tag: flipped(tag, bit), to: verdict.a, by: .pin)
            }
        }
    }

    @Test func `no tag, a zero tag, a short tag and another host's tag are refused`() throws {
        let key = try Golden.hostKey()
        let verdict = try Golden.verdict()
        let tag = try key.tag(of: verdict)
        let stranger = try HostKey(
            name: key.name, epoch: 1, key: Golden.secret([UInt8](repeating: 1, count: 32)))
        let wrong = [
            [], [UInt8](repeating: 0, count: 32), [UInt8](tag.dropLast()), tag + [0],
            try stranger.tag(of: verdict), try key.tag(of: Golden.question()),
        ]
        for tag in wrong {
            #expect(throws: AnswerRefusal.wrongTag) {
                try key.open(answer: verdict.octets, tag: tag, to: verdict.a, by: .pin)
            }
        }
    }

    @Test func `a sealed answer to another question or for another way is refused`() throws {
        let key = try Golden.hostKey()
        let verdict = try Golden.verdict()
        let tag = try key.tag(of: verdict)
        #expect(throws: AnswerRefusal.otherQuestion) {
            try key.open(answer: verdict.octets, tag: tag, to: flipped(verdict.a, 0), by: .pin)
        }
        for way in [AuthenticationMethod.phone, .otp] {
            #expect(throws: AnswerRefusal.otherWay) {
                try key.open(answer: verdict.octets, tag: tag, to: verdict.a, by: way)
            }
        }
    }

    @Test func `a sealed session is not accepted as an answer`() throws {
        let key = try Golden.hostKey()
        let a = try Golden.question().a
        let session = try #require(SealedSession(a: a, wid: Golden.wid, number: [], life: 90))
        #expect(throws: AnswerRefusal.notAnAnswer) {
            try key.open(answer: session.octets, tag: key.tag(of: session), to: a, by: .pin)
        }
    }

    @Test func `the tag of a question or session fits no other message`() throws {
        let key = try Golden.hostKey()
        let question = try Golden.question()
        let tag = try key.tag(of: question)
        #expect(key.verifies(tag, of: question) == true)
        for bit in 0..<256 { #expect(key.verifies(flipped(tag, bit), of: question) == false) }
        for bit in 0..<question.octets.count * 8 {
            guard let other = SealedQuestion(decoding: flipped(question.octets, bit)) else { continue }
            #expect(key.verifies(tag, of: other) == false)
        }
        let session = try #require(SealedSession(a: question.a, wid: Golden.wid, number: [], life: 90))
        let other = try #require(SealedSession(a: question.a, wid: Golden.otherWID, number: [], life: 90))
        #expect(key.verifies(try key.tag(of: session), of: session) == true)
        #expect(key.verifies(try key.tag(of: session), of: other) == false)
    }

    @Test func `a verdict can be decoded to the same value`() throws {
        for verdict in Verdict.allCases {
            for way in AuthenticationMethod.allCases {
                for tries in [nil, 0, 3, 0xfffe] as [UInt16?] {
                    let sealed = try #require(
                        SealedVerdict(
                            a: Golden.question().a, way: way, verdict: verdict, id: nil, triesLeft: tries,
                            secondsUntilRelease: 3_600))
                    #expect(SealedVerdict(decoding: sealed.octets) == sealed)
                    #expect(sealed.id == .zero)
                }
            }
        }
        let octets = try Golden.verdict().octets
        for (place, value) in [(46, 0), (46, 4), (47, 6), (0, 0x4d), (13, 1)] as [(Int, UInt8)] {
            var bad = octets
            bad[place] = value
            #expect(SealedVerdict(decoding: bad) == nil)
        }
        #expect(SealedVerdict(decoding: octets + [0]) == nil)
        #expect(SealedVerdict(decoding: [UInt8](octets.dropLast())) == nil)
    }

    @Test func `questions out of bounds are refused`() throws {
        func ask(
            host: Int = 1, service: Int = 1, account: Int = 1, tty: Int = 0, ids: Int = 1
        ) -> SealedQuestion? {
            func text(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }
            return SealedQuestion(
                host: text(host), nonce: Golden.nonce, service: text(service), account: text(account),
                source: [], tty: text(tty), flags: 1, life: .max,
                ids: [IdentityHash](repeating: [7], count: ids))
        }
        for good in [ask(), ask(host: 255, service: 255, account: 255, tty: 255, ids: 64), ask(ids: 0)] {
            let good = try #require(good)
            #expect(SealedQuestion(decoding: good.octets) == good)
            #expect(good.octets.count <= 4_096)
        }
        for bad in [
            ask(host: 0), ask(host: 256), ask(service: 0), ask(account: 0), ask(tty: 256), ask(ids: 65),
        ] { #expect(bad == nil) }
    }

    @Test func `a nonce contains the time`() throws {
        let nonce = try #require(
            SealedQuestion.nonce(at: 1_795_218_263, random: [UInt8](repeating: 9, count: 24)))
        #expect(nonce.octets.prefix(8).elementsEqual([0, 0, 0, 0, 0x6b, 0, 0xdb, 0x57]))
        #expect(SealedQuestion.nonce(at: 0, random: []) == nil)
        let question = try #require(
            SealedQuestion(
                host: [1], nonce: nonce, service: [1], account: [1], source: [], tty: [], flags: 0, life: 1,
                ids: []))
        #expect(question.seconds == 1_795_218_263)
    }

    @Test(arguments: [0, 16, 31, 33, 65]) func `a key of another length than 32 octets is refused`(count: Int)
    {
        #expect(throws: SealFailure.malformed) {
            let key = try Golden.secret([UInt8](repeating: 1, count: count))
            _ = try HostKey(name: [1], epoch: 1, key: key)
        }
    }

    @Test func `a sealed share opens only for its question, identity and index`() throws {
        let key = try Golden.hostKey()
        let id = try MilagroLogin.read().id
        let a = try Golden.question().a
        let sealed = try key.seal(
            Golden.secret(MilagroLogin.read().share1), .first, a: a, id: id)
        func open(
            _ sealed: [UInt8], _ index: ShareIndex, a: QuestionHash, id: IdentityHash
        ) -> SealFailure? {
            do {
                _ = try Golden.hostKey().open(sealed, index, a: a, id: id)
                return nil
            } catch { return error as? SealFailure }
        }
        #expect(open(sealed, .first, a: a, id: id) == nil)
        #expect(open(sealed, .second, a: a, id: id) == .notAuthentic)
        #expect(open(sealed, .first, a: flipped(a, 7), id: id) == .notAuthentic)
        #expect(open(sealed, .first, a: a, id: flipped(id, 7)) == .notAuthentic)
        for bit in 0..<sealed.count * 8 {
            #expect(open(flipped(sealed, bit), .first, a: a, id: id) == .notAuthentic)
        }
        for count in [0, 16, 65, 80] {
            #expect(open([UInt8](sealed.prefix(count)), .first, a: a, id: id) == .malformed)
        }
    }

    @Test func `a joined key opens only for its code, host and epoch`() throws {
        let name = Golden.ascii("prod-db1")
        let code = try OneTimeCode(typed: Golden.secret(Golden.ascii("BCDFGHJKLMNPQRST")))
        let sealed = try Golden.hostKey().sealed(joinKey: code.joinKey(host: name))
        func open(_ sealed: [UInt8], code: String, host: String, epoch: UInt32) throws {
            let code = try OneTimeCode(typed: Golden.secret(Golden.ascii(code)))
            _ = try HostKey(
                name: name, epoch: epoch, sealedKey: sealed, joinKey: code.joinKey(host: Golden.ascii(host)))
        }
        try open(sealed, code: "bcdf-ghjk lmnp-qrst", host: "prod-db1", epoch: 1)
        let notAuthentic = SealFailure.notAuthentic
        #expect(throws: notAuthentic) {
            try open(sealed, code: "BCDFGHJKLMNPQRSZ", host: "prod-db1", epoch: 1)
        }
        #expect(throws: notAuthentic) {
            try open(sealed, code: "BCDFGHJKLMNPQRST", host: "prod-db2", epoch: 1)
        }
        #expect(throws: notAuthentic) {
            try open(sealed, code: "BCDFGHJKLMNPQRST", host: "prod-db1", epoch: 2)
        }
        #expect(throws: notAuthentic) { try open([], code: "BCDFGHJKLMNPQRST", host: "prod-db1", epoch: 1) }
        for bit in 0..<sealed.count * 8 {
            #expect(throws: notAuthentic) {
                try open(flipped(sealed, bit), code: "BCDFGHJKLMNPQRST", host: "prod-db1", epoch: 1)
            }
        }
    }

    @Test func `y depends on every part, and malformed parts are refused`() throws {
        let login = try MilagroLogin.read()
        let n = Golden.n
        let y = try challenge(n: n, id: login.id, u: login.u, ut: login.ut, purpose: noPurpose)
        let others = try [
            challenge(n: flipped(n, 0), id: login.id, u: login.u, ut: login.ut, purpose: noPurpose),
            challenge(n: n, id: flipped(login.id, 0), u: login.u, ut: login.ut, purpose: noPurpose),
            challenge(n: n, id: login.id, u: flipped(login.u, 9), ut: login.ut, purpose: noPurpose),
            challenge(n: n, id: login.id, u: login.u, ut: flipped(login.ut, 9), purpose: noPurpose),
            challenge(n: n, id: login.id, u: login.u, ut: [], purpose: noPurpose),
            challenge(n: n, id: login.id, u: login.u, ut: login.ut, purpose: flipped(noPurpose, 0)),
        ]
        #expect(Set(others + [y]).count == 7)
        #expect(
            try others[4] == Golden.octets("0381a7a52b6dfd5b8466a5602cd7c7da7299d555b599a6add19a007ddca2e84b")
        )
        for (u, ut) in [(64, 65), (66, 65), (65, 64), (65, 1)] {
            func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
            #expect(throws: SealFailure.malformed) {
                try challenge(n: n, id: login.id, u: zeros(u), ut: zeros(ut), purpose: noPurpose)
            }
        }
    }

    @Test func `y is a scalar`() throws {
        let order: [UInt8] = try Golden.octets(
            "2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d")
        let login = try MilagroLogin.read()
        for round in 0..<1_000 {
            let n: ServerNonce = [UInt8(round >> 8), UInt8(round & 255)]
            let y = try challenge(n: n, id: login.id, u: login.u, ut: [], purpose: noPurpose)
            #expect(y.octets.lexicographicallyPrecedes(order))
        }
    }

    @Test func `approval details can be decoded to the same value`() throws {
        let seen = try Golden.seen()
        #expect(ApprovalDetails(decoding: seen.octets) == seen)
        #expect(ApprovalDetails(decoding: seen.octets + [0]) == nil)
        for count in 0..<seen.octets.count {
            #expect(ApprovalDetails(decoding: [UInt8](seen.octets.prefix(count))) == nil)
        }
        let long = [UInt8](repeating: 0x61, count: 256)
        #expect(
            ApprovalDetails(origin: long, wid: [], host: [], service: [], account: [], source: [], seconds: 0)
                == nil)
        // The limit is 9999-12-31T23:59:59Z.
        for (seconds, isRead) in [(UInt64(253_402_300_799), true), (253_402_300_800, false), (.max, false)] {
            let octets =
                Array(seen.octets.dropLast(8))
                + (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (56 - 8 * $0)) }
            #expect((ApprovalDetails(decoding: octets) != nil) == isRead)
        }
    }

    @Test func `random octets are refused or encoded to the same octets again`() throws {
        let good = try [Golden.question().octets, Golden.seen().octets, Golden.verdict().octets]
        var accepted = 0
        var random = SplitMix(seed: 33)
        for round in 0..<rounds(2_000) {
            var octets = good[round % 3]
            for _ in 0...random.next(3) {
                octets[random.next(octets.count)] = .random(in: .min ... .max, using: &random)
            }
            if Bool.random(using: &random) { octets.removeLast(random.next(octets.count)) }
            if let question = SealedQuestion(decoding: octets) { #expect(question.octets == octets) }
            if let seen = ApprovalDetails(decoding: octets) { #expect(seen.octets == octets) }
            if let verdict = SealedVerdict(decoding: octets) {
                accepted += 1
                #expect(verdict.octets == octets)
            }
        }
        #expect(accepted > 0)
    }
}

func flipped<let size: Int, Meaning>(
    _ value: FixedOctets<size, Meaning>, _ bit: Int
) -> FixedOctets<size, Meaning> {
    FixedOctets(flipped(value.octets, bit)) ?? .zero
}

func flipped(_ octets: [UInt8], _ bit: Int) -> [UInt8] {
    var octets = octets
    octets[bit / 8] ^= 1 << UInt8(bit % 8)
    return octets
}
