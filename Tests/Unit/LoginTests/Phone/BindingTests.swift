// SPDX-License-Identifier: Apache-2.0
// Binding a phone: a relay that lies about the session, or about who approved it, cannot bind a phone.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Octets
import TestSupport
import Testing

@Suite struct BindingTests {
    private static let wid = Array(String(repeating: "a0", count: 16).utf8)
    private static let id = IdentityHash(repeating: 7)

    private func bind(_ userID: String = "", life: Int = 100) throws -> Bind {
        let context = LoginContext(service: SealedQuestion.bindService, askedFor: nil, realUID: 1000)
        return try #require(
            context.bind(
                host: Array("prod-db1".utf8), nonce: QuestionNonce(repeating: 1),
                userID: Array(userID.utf8), life: life))
    }

    private func session(
        _ bind: Bind, wid: [UInt8] = wid, number: String = "3232212", life: UInt16 = 90, tag: [UInt8]? = nil
    ) throws -> RelaySessionResponse {
        let number = Array(number.utf8)
        let sealed = try #require(SealedSession(a: bind.a, wid: wid, number: number, life: life))
        return RelaySessionResponse(
            wid: wid, number: number, life: life, tag: try tag ?? testHostKey().tag(of: sealed))
    }

    private func answer(
        _ bind: Bind, _ verdict: Verdict, by userID: String = "alice@example.org", name: String = "prod-db1"
    ) throws -> RelaySealedResponse {
        let answer = try #require(
            SealedBindAnswer(
                a: bind.a, verdict: verdict, id: Self.id, userID: Array(userID.utf8), registered: 5))
        return RelaySealedResponse(answer: answer.octets, tag: try testHostKey(name: name).tag(of: answer))
    }

    @Test func `a session lives until ten seconds before the deadline, for 300 seconds at most`() throws {
        let lives = [(8, 8), (90, 90), (95, 90), (100, 90), (101, 91), (310, 300), (3_600, 300)]
        for (deadline, life) in lives { #expect(try bind(life: deadline).life == life, "\(deadline)") }
        let bind = try bind()
        #expect(try testHostKey().session(session(bind), to: bind, from: 5).end == 95)
    }

    @Test func `a bind question has a source that no login of the account has`() throws {
        #expect(try bind().source == Array("local:0:bind".utf8))
    }

    @Test func `a session that is not sealed for this question is not shown`() throws {
        let (bind, other) = (try bind(life: 20), try bind())
        let key = try testHostKey()
        let wrong = [
            try session(other, life: 20), try session(bind, life: 20, tag: [UInt8](repeating: 0, count: 32)),
        ]
        for answer in wrong {
            #expect(throws: Reason.seal(.wrongTag)) { _ = try key.session(answer, to: bind, from: 0) }
        }
        let odd = [
            try session(bind, life: 21), try session(bind, life: 0),
            try session(bind, number: "3232213", life: 20),
            try session(bind, wid: Array(String(repeating: "A0", count: 16).utf8), life: 20),
        ]
        for answer in odd {
            #expect(throws: Reason.seal(.malformed)) { _ = try key.session(answer, to: bind, from: 0) }
        }
    }

    @Test func `the phone is accepted only under the host's seal, for this session, with the right user id`()
        throws
    {
        let (any, alice) = (try bind(), try bind("alice@example.org"))
        let key = try testHostKey()
        let phone = try #require(try key.phone(answer(any, .granted), to: any))
        #expect(phone.id == Self.id && phone.userID == Array("alice@example.org".utf8))
        #expect(try key.phone(answer(alice, .granted), to: alice) == phone)
        #expect(try key.phone(answer(any, .notApproved), to: any) == nil)
        #expect(throws: Reason.seal(.wrongTag)) { _ = try key.phone(answer(any, .granted), to: alice) }
        #expect(throws: Reason.seal(.wrongTag)) { _ = try key.phone(.none, to: any) }
        #expect(throws: Reason.seal(.otherIdentity)) {
            _ = try key.phone(answer(alice, .granted, by: "mallory@example.org"), to: alice)
        }
        for verdict in [Verdict.wrong, .blocked, .revoked, .secretExpired] {
            #expect(throws: Reason.seal(.otherIdentity)) {
                _ = try key.phone(answer(any, verdict), to: any)
            }
        }
    }

    @Test func `the approval code belongs to the phone and the session, and may be spelled in any way`()
        throws
    {
        let bind = try bind()
        let key = try testHostKey()
        let session = try key.session(session(bind), to: bind, from: 0)
        let phone = try #require(try key.phone(answer(bind, .granted), to: bind))
        let code = octets(try key.bindCode(a: bind.a, wid: Self.wid, id: Self.id))
        let spelled = code.prefix(3) + Array("-".utf8) + code.dropFirst(3).map { $0 | 0x20 }
        for typed in [code, Array(spelled)] {
            #expect(readsAsApprovalCode(typed))
            #expect(try key.isCode(typed, of: phone, in: session))
        }
        var wrong = code
        wrong[5] = wrong[5] == 0x42 ? 0x43 : 0x42
        #expect(try !key.isCode(wrong, of: phone, in: session))
        for odd in ["", "12345", "BCDFG", "BCDFGHJ", "ä"] { #expect(!readsAsApprovalCode(Array(odd.utf8))) }
    }
}
