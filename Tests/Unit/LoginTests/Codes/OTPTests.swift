// SPDX-License-Identifier: Apache-2.0
// Logins by a one-time password: the prompt comes first, the input stays on this host, and mpind decides.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Octets
import TestSupport
import Testing

extension LoginFixture {
    /// A fixture in which alice has a second device, which shows 123456 by default.
    static func withPassword(_ digits: String? = "123456") throws -> LoginFixture {
        let fixture = try LoginFixture(enrolled: false)
        try fixture.addDevice()
        if let digits { fixture.server.passwords[LoginFixture.device] = (digits, 0) }
        return fixture
    }

    func byPassword(_ answers: [String], _ lines: String = "", context: LoginContext? = nil) throws -> Shown {
        let context = context ?? self.context()
        let service = String(decoding: context.service, as: UTF8.self)
        let settings = try settings("method = otp\n" + lines, service: service)
        return login(answers, settings: settings, context: context)
    }
}

@Suite struct `A login by a one-time password` {
    @Test(arguments: ["123456", "123 456", "123-456", " 1 2 3 4 5 6\t"])
    func `is granted under the seal of way 3, in any spelling`(_ typed: String) throws {
        let fixture = try LoginFixture.withPassword()
        let shown = try fixture.byPassword([typed])
        guard case .granted(let grant) = shown.outcome else {
            Issue.record("\(shown.outcome)")
            return
        }
        #expect(
            grant.proven?.way == .otp && grant.proven?.sealed == true
                && grant.proven?.id == LoginFixture.device)
        #expect(shown.prompts == [.otp] && shown.notices.isEmpty)
        #expect(fixture.server.asked.map(\.kind) == [.otp, .authenticate])
        guard case .otp(let password)? = fixture.server.asked.first,
            let question = SealedQuestion(decoding: password.sealed.question)
        else {
            Issue.record("no question")
            return
        }
        #expect(question.ids == [LoginFixture.device] && question.flags == 0)
        #expect(shown.attempt == Array(question.a.octets.prefix(8)))
        #expect(
            fixture.server.asked.last
                == .authenticate(
                    RelayAuthenticateRequest(authOTT: [], id: LoginFixture.device, a: question.a)))
    }

    @Test func `requests nothing else, whatever the account has`() throws {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        let shown = try fixture.byPassword([LoginFixture.pin, LoginFixture.pin, LoginFixture.pin])
        #expect(shown.outcome == .refused(.noOTP) && shown.prompts == [.otp, .otp, .otp])
        #expect(shown.notices == [.noOTP, .noOTP])
        #expect(fixture.server.asked(.passOne).count == 1)  // by the enrolment
        #expect(fixture.server.asked(.otp).isEmpty && fixture.server.asked(.session).isEmpty)
    }

    @Test(arguments: ["", "12345", "1234567", "12345x", "JQK-KMG", "123_456", "\u{8}\n\r\u{7f}INCORRECT"])
    func `sends nothing unless six digits are typed`(_ typed: String) throws {
        let fixture = try LoginFixture.withPassword()
        #expect(try fixture.byPassword([typed], "tries = 1").outcome == .refused(.noOTP))
        #expect(fixture.server.asked.isEmpty)
    }

    @Test func `sends a new question for each wrong password, and no password leaves the host`() throws {
        let fixture = try LoginFixture.withPassword()
        let shown = try fixture.byPassword(["654321", "111222", "123456"])
        #expect(shown.outcome.isGranted && shown.notices == [.wrongOTP, .wrongOTP])
        #expect(fixture.server.asked.map(\.kind) == [.otp, .otp, .otp, .authenticate])
        var questions: Set<[UInt8]> = []
        for question in fixture.server.asked {
            guard let frame = try? question.encoded() else { continue }
            for typed in ["654321", "111222", "123456"] {
                let digits = Array(typed.utf8)
                #expect(!frame.indices.contains { frame[$0...].starts(with: digits) })
            }
            if case .otp(let password) = question { questions.insert(password.sealed.question) }
        }
        #expect(questions.count == 3)
    }

    @Test func `ends a password after five wrong ones`() throws {
        let fixture = try LoginFixture.withPassword()
        let wrong = (1...5).map { "00000\($0)" }
        let shown = try fixture.byPassword(wrong + ["123456"], "tries = 6")
        #expect(shown.outcome == .refused(.wrongOTP))
        #expect(fixture.server.asked(.authenticate).isEmpty)
    }

    @Test func `succeeds once with a password`() throws {
        let fixture = try LoginFixture.withPassword()
        #expect(try fixture.byPassword(["123456"]).outcome.isGranted)
        #expect(try fixture.byPassword(["123456"], "tries = 1").outcome == .refused(.wrongOTP))
    }

    @Test func `is possible with every device of the account, and with no other`() throws {
        let fixture = try LoginFixture.withPassword(nil)
        let (second, stranger) = (IdentityHash(repeating: 2), IdentityHash(repeating: 3))
        try fixture.addDevice(second)
        fixture.server.passwords = [second: ("222333", 0), stranger: ("444555", 0)]
        let shown = try fixture.byPassword(["444555", "222333"])
        guard case .granted(let grant) = shown.outcome else {
            Issue.record("\(shown.outcome)")
            return
        }
        #expect(grant.proven?.id == second && shown.notices == [.wrongOTP])
    }

    @Test func `of a user without a second device ends at once in a local login`() throws {
        let fixture = try LoginFixture()
        let shown = try fixture.byPassword(["123456"])
        #expect(shown.outcome == .notEnrolled(NotEnrolled(cause: .noPhone, ignored: false)))
        #expect(shown.prompts.isEmpty && fixture.server.asked(.otp).isEmpty)
    }

    @Test(arguments: [
        (Verdict.revoked, Outcome.revoked), (.secretExpired, .secretExpired),
        (.blocked, .blocked(releaseAfter: nil)), (.wrong, .refused(.wrongOTP)),
        (.notApproved, .refused(.expired)),
    ])
    func `ends as the sealed verdict demands`(_ verdict: Verdict, _ outcome: Outcome) throws {
        let fixture = try LoginFixture.withPassword()
        fixture.server.spoilVerdict { SealedVerdict($0, verdict: verdict) }
        #expect(try fixture.byPassword(["123456"]).outcome == outcome)
    }
}

@Suite struct `A captured relay that lies about one-time passwords` {
    @Test func `cannot grant a login with made-up tags`() throws {
        for count in [0, 32, 64] {
            let fixture = try LoginFixture.withPassword()
            fixture.server.spoil = { question, answer throws(TransportError) in
                guard question.kind == .otp else { return answer }
                return RelayResponse(
                    kind: .otp, status: 200, body: .otp(tags: [UInt8](repeating: 7, count: count)))
            }
            let outcome = try fixture.byPassword(["123456"], "tries = 1").outcome
            #expect(outcome == (count == 32 ? .refused(.wrongOTP) : .failed(.seal(.malformed))))
            #expect(fixture.server.asked(.authenticate).isEmpty)
        }
    }

    /// The host's own tags, sent back, look like those of a correct password.
    @Test func `cannot grant a login with the tags that it forwards`() throws {
        let fixture = try LoginFixture.withPassword()
        fixture.server.spoil = { question, answer throws(TransportError) in
            guard case .otp(let password) = question else { return answer }
            return RelayResponse(kind: .otp, status: 200, body: .otp(tags: password.tags))
        }
        #expect(try fixture.byPassword(["000000"]).outcome == .refused(.wrongOTP))
        #expect(fixture.server.asked(.authenticate).count == 1)
        #expect(try fixture.byPassword(["123456"]).outcome.isGranted)
    }

    @Test func `cannot grant a login with the tags of another question`() throws {
        let fixture = try LoginFixture.withPassword()
        var old: RelayResponse?
        fixture.server.spoil = { question, answer throws(TransportError) in
            guard question.kind == .otp else { return answer }
            defer { if old == nil { old = answer } }
            return old ?? answer
        }
        #expect(try fixture.byPassword(["000000", "123456"], "tries = 2").outcome == .refused(.wrongOTP))
    }

    @Test func `cannot grant a login with a verdict for another way`() throws {
        let fixture = try LoginFixture.withPassword()
        fixture.server.spoilVerdict {
            SealedVerdict(
                a: $0.a, way: .phone, verdict: .granted, id: LoginFixture.device, triesLeft: nil,
                secondsUntilRelease: 0)
        }
        #expect(try fixture.byPassword(["123456"]).outcome == .failed(.seal(.otherWay)))
    }

    @Test func `cannot grant a login with another identity's grant`() throws {
        let fixture = try LoginFixture.withPassword()
        fixture.server.spoilVerdict {
            SealedVerdict(
                a: $0.a, way: .otp, verdict: .granted, id: IdentityHash(repeating: 9), triesLeft: nil,
                secondsUntilRelease: 0)
        }
        #expect(try fixture.byPassword(["123456"]).outcome == .failed(.seal(.otherIdentity)))
    }

    @Test(arguments: [UInt16(0), 1, 2, 3, 4, 5, 8, 12, 403, 404, 429, 500, 503])
    func `decides the outcome by its status`(_ status: UInt16) throws {
        let fixture = try LoginFixture.withPassword()
        fixture.server.spoil(.otp, status: status)
        let isAway = [0, 1, 2, 4, 5, 8, 12].contains(status) || status >= 500 || status == 429
        let wanted = Outcome.unavailable(Unavailable(status: status))
        #expect(
            try fixture.byPassword(["123456"]).outcome
                == (isAway ? wanted : .failed(.answer(.otp, status: status))))
    }
}

@Suite struct `A one-time password in a remote login` {
    private func context(_ account: Account?) -> LoginContext {
        LoginContext(
            service: Array("sshd".utf8), account: account, rhost: Array("203.0.113.9".utf8),
            tty: Array("ssh".utf8), authInfo: nil, realUID: 0)
    }

    @Test func `needs no public key`() throws {
        let fixture = try LoginFixture.withPassword()
        #expect(try fixture.byPassword(["123456"], context: context(alice)).outcome.isGranted)
    }

    @Test func `shows strangers the same screens, and sends the same requests`() throws {
        let root = Account(uid: 0, gid: 0, name: Array("root".utf8))
        let damaged = try LoginFixture.withPassword()
        try damaged.folder.write("rubbish", to: "store/users/4711")
        let cases: [(LoginFixture, Account?, ids: Int, name: String)] = [
            (try .withPassword(), alice, 1, "alice"), (try .withPassword(nil), alice, 1, "alice"),
            (try LoginFixture(), alice, 0, "alice"), (try LoginFixture(enrolled: false), alice, 0, "alice"),
            (try .withPassword(), nil, 0, "unknown"), (try .withPassword(), root, 0, "root"),
            (damaged, alice, 0, "alice"),
        ]
        for (fixture, account, ids, name) in cases {
            let before = fixture.server.asked.count
            let shown = try fixture.byPassword(["000000", "", "999999"], context: context(account))
            #expect(shown.prompts == [.otp, .otp, .otp], "\(name) \(ids)")
            #expect(shown.notices == [.refused, .refused])
            #expect(!shown.outcome.isGranted && shown.isPersonal)
            #expect(fixture.server.asked.dropFirst(before).map(\.kind) == [.otp, .otp])
            guard case .otp(let password)? = fixture.server.asked.last,
                let question = SealedQuestion(decoding: password.sealed.question)
            else {
                Issue.record("no question")
                return
            }
            #expect(question.ids.count == ids && question.account == Array(name.utf8))
        }
    }

    @Test func `is not sent again after the server has decided`() throws {
        let fixture = try LoginFixture.withPassword()
        fixture.server.spoilVerdict { SealedVerdict($0, verdict: .blocked) }
        let shown = try fixture.byPassword(["123456", "123456", "123456"], context: context(alice))
        #expect(shown.outcome == .blocked(releaseAfter: nil) && shown.notices == [.refused, .refused])
        #expect(fixture.server.asked.map(\.kind) == [.otp, .authenticate])
    }

    @Test func `is followed by a backup code in a local login if the server is unavailable`() throws {
        let fixture = try LoginFixture.withPassword()
        let code = try fixture.giveCodes(1)[0]
        fixture.server.spoil(.otp, status: 0)
        let here = try fixture.byPassword(["123456", code], "backup-codes = su")
        #expect(here.outcome.isGranted && here.prompts == [.otp, .backupCode])
        #expect(here.notices == [.unreachable])
    }
}
