// SPDX-License-Identifier: Apache-2.0
// A relay that lies about sessions and approvals: its text is not shown, and it cannot grant a login.
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct `A session is not shown` {
    private func outcome(_ change: @escaping (FakeServer, RelaySessionResponse) throws -> RelayResponse)
        throws -> Outcome
    {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        fixture.server.spoilSession { [server = fixture.server] in try change(server, $0) }
        let shown = try fixture.console([.text(LoginFixture.pin)])
        #expect(shown.prompts == [])
        return shown.outcome
    }

    private func sent(
        _ session: RelaySessionResponse, wid: [UInt8]? = nil, number: [UInt8]? = nil, life: UInt16? = nil,
        tag: [UInt8]? = nil
    ) -> RelayResponse {
        RelayResponse(
            kind: .session, status: 200,
            body: .session(
                RelaySessionResponse(
                    wid: wid ?? session.wid, number: number ?? session.number, life: life ?? session.life,
                    tag: tag ?? session.tag)))
    }

    @Test func `if its tag is missing or wrong`() throws {
        for tag in [[], [UInt8](repeating: 0, count: 32)] {
            #expect(try outcome { sent($1, tag: tag) } == .failed(.seal(.wrongTag)))
        }
        for bit in stride(from: 0, to: 256, by: 37) {
            let outcome = try outcome { _, session in
                var tag = session.tag
                tag[bit / 8] ^= 1 << (bit % 8)
                return sent(session, tag: tag)
            }
            #expect(outcome == .failed(.seal(.wrongTag)))
        }
    }

    @Test func `if the relay replaces session, number or life`() throws {
        let wid = Array(String(repeating: "a0", count: 16).utf8)
        #expect(try outcome { sent($1, wid: wid) } == .failed(.seal(.wrongTag)))
        #expect(try outcome { sent($1, number: Array("1111117".utf8)) } == .failed(.seal(.wrongTag)))
        #expect(try outcome { sent($1, life: 89) } == .failed(.seal(.wrongTag)))
    }

    @Test func `if it was opened for another question`() throws {
        let other = QuestionHash(repeating: 9)
        #expect(try outcome { server, _ in try server.session(a: other) } == .failed(.seal(.wrongTag)))
    }

    @Test(arguments: [
        "\u{1b}[2J", "\u{9b}31m", "\u{202e}0000", "\u{200b}", String(repeating: "x", count: 10_000), "\n\n",
        "https://evil.example/#00000000", "", "3232213", "323221", "32322120", "\u{663}232212", "0000000",
    ])
    func `if mpind itself seals an invalid number or session`(_ text: String) throws {
        let text = Array(text.utf8)
        // A sealed message holds at most 255 octets here.
        if text.count <= 255 {
            #expect(
                try outcome { server, _ in try server.session(number: text) } == .failed(.seal(.malformed)))
            #expect(try outcome { server, _ in try server.session(wid: text) } == .failed(.seal(.malformed)))
        }
        #expect(try outcome { sent($1, number: text) } == .failed(.seal(.wrongTag)))
        #expect(try outcome { sent($1, wid: text) } == .failed(.seal(.wrongTag)))
    }

    @Test func `if its life is zero, or longer than requested`() throws {
        for life in [UInt16(0), 91, .max] {
            #expect(try outcome { server, _ in try server.session(life: life) } == .failed(.seal(.malformed)))
        }
    }

    @Test func `if its digits are in upper case`() throws {
        let wid = Array(String(repeating: "A0", count: 16).utf8)
        #expect(try outcome { server, _ in try server.session(wid: wid) } == .failed(.seal(.malformed)))
    }

    @Test func `if the relay sends another message instead`() throws {
        let other = RelayResponse(kind: .end, status: 200, body: .end)
        #expect(try outcome { _, _ in other } == .failed(.transport(.brokenFrame)))
    }
}

@Suite(.slow) struct `An approval is not believed` {
    private func outcome(
        _ typed: Typed = .approved(by: LoginFixture.device), _ spoil: (FakeServer) -> Void
    ) throws -> Outcome {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        spoil(fixture.server)
        return try fixture.console([typed]).outcome
    }

    @Test func `without a tag, or with one of zeros`() throws {
        #expect(try outcome { $0.spoilSeal { _ in .none } } == .failed(.seal(.missing)))
        let zeros = [UInt8](repeating: 0, count: 32)
        let forged = try outcome { $0.spoilSeal { RelaySealedResponse(answer: $0.answer, tag: zeros) } }
        #expect(forged == .failed(.seal(.wrongTag)))
    }

    @Test(arguments: [AuthenticationMethod.pin, .otp]) func `for another way`(_ way: AuthenticationMethod)
        throws
    {
        let outcome = try outcome { $0.spoilVerdict { SealedVerdict($0, way: way) } }
        #expect(outcome == .failed(.seal(.otherWay)))
    }

    @Test func `for another question`() throws {
        let a = QuestionHash(repeating: 3)
        let outcome = try outcome { $0.spoilVerdict { SealedVerdict($0, a: a) } }
        #expect(outcome == .failed(.seal(.otherQuestion)))
    }

    @Test func `by an identity that the account does not list`() throws {
        let mallory = IdentityHash(repeating: 7)
        for id in [mallory, .zero] {
            let outcome = try outcome { $0.spoilVerdict { SealedVerdict($0, id: id) } }
            #expect(outcome == .failed(.seal(.otherIdentity)))
        }
        #expect(try outcome(.approved(by: mallory)) { _ in } == .conversationFailed)
    }

    @Test func `by the identity of the PIN on this host`() throws {
        let fixture = try LoginFixture()
        let own = try #require(try fixture.ids(FileStore(at: fixture.store)).first)
        try fixture.addDevice()
        fixture.server.spoilVerdict { SealedVerdict($0, id: own) }
        let outcome = try fixture.console([.approved(by: LoginFixture.device)]).outcome
        #expect(outcome == .failed(.seal(.otherIdentity)))
    }

    @Test func `if only the status grants it`() throws {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        fixture.server.spoil = { _, answer throws(TransportError) in
            answer.kind == .authenticate
                ? RelayResponse(kind: answer.kind, status: 200, body: answer.body) : answer
        }
        #expect(try fixture.console([.code], "tries = 1").outcome == .refused(.notApproved))
    }

    @Test func `twice`() throws {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        #expect(try fixture.console([.approved(by: LoginFixture.device)]).outcome.isGranted)
        let old = try #require(fixture.server.answered.last)
        fixture.server.spoil = { question, answer throws(TransportError) in
            question.kind == .authenticate ? old : answer
        }
        #expect(try fixture.console([.code]).outcome == .failed(.seal(.otherQuestion)))
    }
}
