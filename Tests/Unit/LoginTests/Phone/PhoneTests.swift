// SPDX-License-Identifier: Apache-2.0
// Transcripts of logins by a second device: order of the methods, effect of an approval code, endings.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Octets
import Testing

@Suite struct `A login by a second device` {
    private let approvalCode = Typed.approved(by: LoginFixture.device)

    private func both() throws -> LoginFixture {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        return fixture
    }

    private func phoneAlone() throws -> LoginFixture {
        let fixture = try LoginFixture(enrolled: false)
        try fixture.addDevice()
        return fixture
    }

    @Test func `is granted by its approval code under the seal of way 2`() throws {
        let fixture = try both()
        let before = fixture.server.asked.count
        let shown = try fixture.console([approvalCode])
        guard case .granted(let grant) = shown.outcome else {
            Issue.record("\(shown.outcome)")
            return
        }
        #expect(
            grant.proven?.way == .phone && grant.proven?.sealed == true
                && grant.proven?.id == LoginFixture.device)
        #expect(grant.proven?.label == Array("alice's phone".utf8))
        let asked = fixture.server.asked.dropFirst(before)
        #expect(asked.map(\.kind) == [.session, .authenticate])
        let question = try #require(try fixture.sessionAsk())
        #expect(asked.last == .authenticate(RelayAuthenticateRequest(authOTT: [], id: nil, a: question.a)))
        #expect(question.ids == [LoginFixture.device] && question.flags == 0 && question.life == 90)
        #expect(shown.attempt == Array(question.a.octets.prefix(8)))
        #expect(shown.prompts.map { $0.offers?.pin } == [true])
    }

    @Test(
        arguments: [
            { $0.lowercased() }, { "\($0.prefix(3))-\($0.suffix(3))" },
            { " \($0.prefix(2)) - \($0.dropFirst(2)) " },
        ] as [@Sendable (String) -> String])
    func `accepts its approval code in any spelling`(_ spelled: @escaping @Sendable (String) -> String)
        throws
    {
        let fixture = try phoneAlone()
        let typed = Typed.approved(by: LoginFixture.device, spelled: spelled)
        #expect(try fixture.console([typed]).outcome.isGranted)
    }

    @Test func `accepts the PIN at the same prompt, with a separate question`() throws {
        let fixture = try both()
        let shown = try fixture.console([.text("1470"), .text(LoginFixture.pin)])
        guard case .granted(let grant) = shown.outcome else {
            Issue.record("\(shown.outcome)")
            return
        }
        #expect(grant.proven?.way == .pin)
        #expect(shown.notices == [.wrongPIN(triesLeft: 2)])
        let session = try #require(try fixture.sessionAsk())
        let passes = fixture.server.asked.compactMap { question in
            if case .passOne(let pass) = question {
                SealedQuestion(decoding: pass.sealed.question)
            } else {
                nil as SealedQuestion?
            }
        }
        let tries = passes.suffix(2).map(\.a)
        #expect(Set(tries + [session.a]).count == 3)
        #expect(shown.attempt == Array(session.a.octets.prefix(8)))
        #expect(fixture.server.asked(.session).count == 1)
    }

    @Test func `waits for the approval and continues in the same session`() throws {
        let fixture = try both()
        let shown = try fixture.console([.code, approvalCode])
        #expect(shown.outcome.isGranted && shown.notices == [.notApproved])
        #expect(fixture.server.asked(.session).count == 1)
        let never = try fixture.console([.code, .code, .code])
        #expect(never.outcome == .refused(.notApproved))
    }

    @Test func `sends nothing for wrong approval codes, and never takes them for a PIN`() throws {
        let fixture = try both()
        let shown = try fixture.console([.wrongCode, .wrongCode, approvalCode])
        #expect(shown.outcome.isGranted && shown.notices == [.wrongCode, .wrongCode])
        #expect(fixture.server.asked(.passOne).count == 1)  // by the enrolment
        #expect(fixture.server.asked(.authenticate).count == 2)
    }

    @Test func `is over at the third wrong approval code, and only a PIN is requested after it`() throws {
        let fixture = try both()
        let wrong = [Typed](repeating: .wrongCode, count: 3)
        let shown = try fixture.console(wrong + [.text("JQKKMG"), .text(LoginFixture.pin)], "tries = 5")
        #expect(shown.outcome.isGranted)
        #expect(shown.notices == [.wrongCode, .wrongCode, .codesUsedUp, .noPIN])
        #expect(shown.prompts.map { $0.offers != nil } == [true, true, true, false, false])
        let question = try #require(try fixture.sessionAsk())
        guard case .end(let end)? = fixture.server.asked(.end).last else {
            Issue.record("nothing ended")
            return
        }
        #expect(end.a == question.a)
        #expect(try phoneAlone().console(wrong + [approvalCode], "tries = 5").outcome == .refused(.wrongCode))
    }

    @Test func `allows one try where the calling program itself repeats the question`() throws {
        let fixture = try both()
        let context = fixture.context(service: "sudo")
        #expect(
            try fixture.console([.wrongCode, approvalCode], context: context).outcome == .refused(.wrongCode))
    }

    @Test func `alone accepts no PIN and sends nothing for one`() throws {
        let fixture = try both()
        let shown = try fixture.console([.text(LoginFixture.pin), .text(""), approvalCode], "method = phone")
        #expect(shown.outcome.isGranted && shown.notices == [.noCode, .noCode])
        #expect(shown.prompts.map { $0.offers?.pin } == [false, false, false])
        #expect(fixture.server.asked(.passOne).count == 1)
    }

    @Test func `is not offered locally to a user without a second device`() throws {
        let fixture = try LoginFixture()
        let before = fixture.server.connections
        let shown = try fixture.console([])
        #expect(shown.prompts == [.pin(label: Array("alice@example.org".utf8))])
        #expect(fixture.server.connections == before)
        let outcome = try fixture.console([], "method = phone").outcome
        #expect(outcome == .notEnrolled(NotEnrolled(cause: .noPhone, ignored: false)))
    }

    @Test func `ends when its session expires, and the PIN remains`() throws {
        var clock = 0
        func late() -> Int {
            clock += 60
            return clock
        }
        let fixture = try both()
        let shown = try fixture.console([.wrongCode, .text(LoginFixture.pin)], now: late)
        #expect(shown.outcome.isGranted)
        #expect(shown.prompts.map { $0.offers != nil } == [true, false])
        guard case .phone(let first)? = shown.prompts.first else { return }
        #expect(first.secondsLeft == 30 && first.number == FakeServer.number)
        clock = 0
        #expect(
            try phoneAlone().console([.wrongCode, approvalCode], now: late).outcome == .refused(.expired))
    }

    @Test(arguments: [UInt16(0), 1, 2, 3, 403, 404, 429, 500, 503])
    func `without a session falls back to the PIN, or ends with the outcome of the call`(_ status: UInt16)
        throws
    {
        let fixture = try both()
        var isOpen = false
        fixture.server.spoil = { question, answer throws(TransportError) in
            defer { if question.kind == .session { isOpen = true } }
            return question.kind == .session && !isOpen
                ? RelayResponse(kind: .session, status: status) : answer
        }
        let shown = try fixture.console([.text(LoginFixture.pin)])
        #expect(shown.outcome.isGranted && shown.prompts.map { $0.offers != nil } == [false])
        let alone = try phoneAlone()
        alone.server.spoil(.session, status: status)
        let isAway = status < 3 || status >= 500 || status == 429
        #expect(
            try alone.console([approvalCode]).outcome
                == (isAway
                    ? .unavailable(Unavailable(status: status))
                    : .failed(.answer(.session, status: status))))
    }

    @Test(arguments: [
        (Verdict.revoked, Outcome.revoked), (.secretExpired, .secretExpired),
        (.blocked, .blocked(releaseAfter: nil)),
    ])
    func `ends as the sealed verdict demands`(_ verdict: Verdict, _ outcome: Outcome) throws {
        let fixture = try phoneAlone()
        fixture.server.spoilVerdict { SealedVerdict($0, verdict: verdict) }
        #expect(try fixture.console([approvalCode]).outcome == outcome)
    }
}

@Suite struct `Enter instead of the approval code` {
    @Test(
        arguments: [
            ("tty1", nil, true), ("/dev/tty63", nil, true), ("tty6", "", true), ("tty0", nil, false),
            ("tty64", nil, false), ("tty01", nil, false), ("ttyS0", nil, false), ("pts/1", nil, false),
            ("/dev/pts/1", nil, false), ("tty", nil, false), (nil, nil, false), ("ssh", nil, false),
            ("tty1", "192.0.2.1", false), ("tty1", "some.host", false), ("tty1x", nil, false),
            ("/tmp/tty1", nil, false), ("tty-1", nil, false),
        ] as [(String?, String?, Bool)], ["login", "su", "sshd", "sudo"])
    func `is accepted only at a virtual console`(
        _ place: (tty: String?, rhost: String?, holds: Bool), _ service: String
    ) throws {
        let fixture = try LoginFixture(enrolled: false)
        try fixture.addDevice()
        let context = fixture.context(service: service, rhost: place.rhost, tty: place.tty)
        let lines = "phone-code = optional\nmethod = phone\ntries = 1"
        let shown = try fixture.console([.enter(by: LoginFixture.device)], lines, context: context)
        #expect(shown.outcome.isGranted == place.holds)
        #expect(shown.prompts.map { $0.offers?.enter } == [place.holds])
        #expect(try fixture.sessionAsk()?.flags == (place.holds ? SealedQuestion.acceptsUnseen : 0))
        if !place.holds { #expect(fixture.server.asked(.authenticate).isEmpty) }
    }

    @Test func `is rejected where the approval code is required`() throws {
        let fixture = try LoginFixture(enrolled: false)
        try fixture.addDevice()
        let context = fixture.context(service: "login", tty: "tty1")
        let shown = try fixture.console([.enter(by: LoginFixture.device)], context: context)
        #expect(shown.outcome == .refused(.noCode))
        #expect(fixture.server.asked(.authenticate).isEmpty)
    }

    @Test func `does not let a user in without an approval`() throws {
        let fixture = try LoginFixture(enrolled: false)
        try fixture.addDevice()
        let context = fixture.context(service: "su", tty: "tty1")
        let shown = try fixture.console([.text("")], "phone-code = optional\ntries = 1", context: context)
        #expect(shown.outcome == .refused(.notApproved))
    }
}
