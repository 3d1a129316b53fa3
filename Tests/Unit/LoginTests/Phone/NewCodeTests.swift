// SPDX-License-Identifier: Apache-2.0
// `r` at a prompt that shows a session: the session ends at the server, and a new one replaces it.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Octets
import Testing

@Suite struct `A new code` {
    private let approvalCode = Typed.approved(by: LoginFixture.device)

    private func phoneAlone() throws -> LoginFixture {
        let fixture = try LoginFixture(enrolled: false)
        try fixture.addDevice()
        return fixture
    }

    private func wids(_ shown: LoginFixture.Shown) -> [[UInt8]] {
        shown.prompts.compactMap {
            if case .phone(let phone) = $0 { return phone.wid }
            return nil
        }
    }

    @Test(arguments: ["r", "R"])
    func `belongs to a new session, and the old session has ended`(_ r: String) throws {
        let fixture = try phoneAlone()
        let shown = try fixture.console([.text(r), approvalCode], "tries = 1")
        #expect(shown.outcome.isGranted && shown.notices.isEmpty)
        #expect(
            fixture.server.asked.map(\.kind) == [
                .session, .end, .session, .authenticate,
            ])
        let wids = wids(shown)
        #expect(wids.count == 2 && wids[0] != wids[1])
        guard case .end(let end)? = fixture.server.asked(.end).first,
            case .session(let first)? = fixture.server.asked(.session).first
        else {
            Issue.record("nothing ended")
            return
        }
        #expect(end.wid == wids[0] && end.a == SealedQuestion(decoding: first.question)?.a)
        #expect(shown.attempt == Array(end.a.octets.prefix(8)))
    }

    @Test func `is given five times, and does not count as a try`() throws {
        let fixture = try phoneAlone()
        let typed = [Typed](repeating: .text("r"), count: 5) + [approvalCode]
        let shown = try fixture.console(typed, "tries = 1")
        #expect(shown.outcome.isGranted && Set(wids(shown)).count == 6)
        #expect(shown.prompts.map { $0.offers?.newCode } == [true, true, true, true, true, false])
        let more = try fixture.console([Typed](repeating: .text("r"), count: 6), "method = phone\ntries = 1")
        #expect(more.outcome == .refused(.noCode))
    }

    @Test func `makes only the approval code of the last session valid`() throws {
        let fixture = try phoneAlone()
        var old = ""
        fixture.server.spoil = { [unowned server = fixture.server] question, answer throws(TransportError) in
            if question.kind == .end { old = (try? server.approvalCode()) ?? "" }
            return answer
        }
        let typed = Typed.approved(by: LoginFixture.device, spelled: { _ in old })
        #expect(try fixture.console([.text("r"), typed], "tries = 1").outcome == .refused(.wrongCode))
        #expect(old.count == 6)
    }

    @Test func `does not reset the count of wrong approval codes`() throws {
        let fixture = try phoneAlone()
        let typed: [Typed] = [.wrongCode, .text("r"), .wrongCode, .text("r"), .wrongCode, approvalCode]
        #expect(try fixture.console(typed, "tries = 9").outcome == .refused(.wrongCode))
    }

    @Test func `can be requested where a PIN is accepted too, and the PIN stays valid`() throws {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        let shown = try fixture.console([.text("r"), .text(LoginFixture.pin)])
        #expect(shown.outcome.isGranted && wids(shown).count == 2)
        #expect(try fixture.console([.text("r")], "method = pin").outcome == .conversationFailed)
        #expect(fixture.server.asked(.end).count == 1)
    }

    @Test func `is offered when a session ends before the login does`() throws {
        var clock = 0
        func late() -> Int {
            clock += 110
            return clock
        }
        let fixture = try phoneAlone()
        let lines = "method = phone\ndeadline = 3600"
        let shown = try fixture.console([.text("x"), .text("x"), .text("r"), approvalCode], lines, now: late)
        #expect(shown.outcome.isGranted)
        let left = shown.prompts.map { prompt -> Int in
            if case .phone(let phone) = prompt { return phone.secondsLeft }
            return 0
        }
        #expect(left == [190, 80, -30, 190])
    }

    @Test func `gets a session that lives no longer than its login`() throws {
        var clock = 0
        func late() -> Int {
            clock += 40
            return clock
        }
        let fixture = try phoneAlone()
        let shown = try fixture.console([.text("r"), approvalCode], "deadline = 160", now: late)
        #expect(shown.outcome.isGranted)
        // By this clock the login begins at 40 and ends at 200; the second session is requested at 120.
        #expect(try fixture.sessionAsk()?.life == 80)
    }

    @Test func `that the server refuses leaves the PIN, or ends the login`() throws {
        for (kind, status) in [(Kind.session, UInt16(429)), (.session, 503)] {
            let fixture = try LoginFixture()
            try fixture.addDevice()
            var sessions = 0
            fixture.server.spoil = { question, answer throws(TransportError) in
                if question.kind == kind { sessions += 1 }
                return question.kind == kind && sessions > 1
                    ? RelayResponse(kind: kind, status: status) : answer
            }
            let shown = try fixture.console([.text("r"), .text(LoginFixture.pin)])
            #expect(shown.outcome.isGranted, "\(kind) \(status)")
            #expect(shown.prompts.map { $0.offers != nil } == [true, false], "\(kind) \(status)")
            sessions = 0
            let alone = try fixture.console([.text("r")], "method = phone")
            let why = Unavailable(status: status)
            #expect(alone.outcome == .unavailable(why), "\(kind) \(status)")
        }
    }

    @Test func `is given even if the old session could not be ended`() throws {
        let fixture = try phoneAlone()
        fixture.server.spoil(.end, status: 503)
        #expect(try fixture.console([.text("r"), approvalCode]).outcome.isGranted)
    }

    @Test(arguments: [true, false]) func `is offered to every user over the network`(_ isEnrolled: Bool)
        throws
    {
        let fixture = try LoginFixture(enrolled: false)
        if isEnrolled { try fixture.addDevice() }
        let context = LoginContext(
            service: Array("sshd".utf8), account: alice, rhost: Array("203.0.113.9".utf8),
            tty: Array("ssh".utf8), authInfo: nil, realUID: 0)
        let typed: [Typed] = [.text("r"), .wrongCode, .text("r"), .text("x")]
        let shown = try fixture.console(typed, "tries = 2", context: context)
        #expect(shown.prompts.map { $0.offers?.newCode } == [true, true, true, true])
        #expect(shown.notices == [.refused] && shown.isPersonal && !shown.outcome.isGranted)
        #expect(
            fixture.server.asked.map(\.kind) == [
                .session, .end, .session, .end, .session,
            ])
    }
}
