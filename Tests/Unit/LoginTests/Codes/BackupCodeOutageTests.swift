// SPDX-License-Identifier: Apache-2.0
// Backup codes while the server is unavailable, and in remote services.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct `A backup code without a server` {
    /// An account with only a second device.
    private func phoneAlone() throws -> LoginFixture {
        let fixture = try LoginFixture(enrolled: false)
        try fixture.addDevice()
        return fixture
    }

    @Test(arguments: [UInt16(0), 1, 2, 3, 404, 429, 500])
    func `is requested where no session opens`(_ status: UInt16) throws {
        let fixture = try phoneAlone()
        let codes = try fixture.giveCodes()
        fixture.server.spoil(.session, status: status)
        let shown = try fixture.loginWithCodes([codes[0]], "method = pin phone")
        #expect(shown.left == 2)
        #expect(shown.prompts == [.backupCode] && shown.notices == [.unreachable])
    }

    @Test(arguments: [TransportError.cannotStart, .closed, .timedOut, .brokenFrame])
    func `is requested where the relay fails`(_ error: TransportError) throws {
        let fixture = try phoneAlone()
        let codes = try fixture.giveCodes()
        fixture.server.spoil = { question, answer throws(TransportError) in
            if question.kind == .session { throw error }
            return answer
        }
        #expect(try fixture.loginWithCodes([codes[0]], "method = phone").left == 2)
        fixture.server.spoil = { _, _ throws(TransportError) in throw .cancelled }
        #expect(try fixture.loginWithCodes([codes[1]], "method = phone").outcome == .cancelled)
    }

    /// A local account can use up what a server grants to this machine; a server that is away is believed.
    @Test(arguments: [UInt16(0), 1, 2, 3, 4, 5, 8, 11, 400, 403, 404, 408, 429, 500, 502, 503, 504])
    func `suffices without a sealed answer, unless a local account can prevent that answer`(
        _ status: UInt16
    ) throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes(6)
        let isUsedUp = [1, 2, 4, 429].contains(status) || status >= 500
        for (backend, isOpen) in [
            ("unix:/run/mpind.sock", !isUsedUp), ("https://mpin.example.org", !isUsedUp),
            ("http://127.0.0.1:8011", status == 0),
            ("unix:/run/mpind.sock\nbackend = https://mpin.example.org", !isUsedUp),
        ] {
            fixture.server.spoil(.standing, status: status)
            let settings = try fixture.settings("backend = \(backend)", "method = pin\nbackup-codes = su")
            let left = try #require(try fixture.codesLeft)
            let shown = fixture.login(
                [codes[6 - left], codes[0]], settings: settings, context: fixture.context())
            if isOpen {
                #expect(shown.left == left - 1 && shown.standing == .unanswered(status: status))
            } else {
                let away = Outcome.unavailable(Unavailable(status: status, ignored: false))
                #expect(shown.outcome == away && shown.prompts.count == 1)
                #expect(try fixture.codesLeft == left)
            }
        }
    }

    /// A status above a certificate's fault by 16: the certificate was shown at an address of this machine.
    @Test(arguments: [UInt16(0), 1, 5, 6, 9, 21, 22, 25, 403, 429, 503, 1403, 1429, 1503])
    func `does not suffice where a local account can answer for a proxy or a server here`(
        _ status: UInt16
    ) throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes(9)
        let isDistant = [0, 5, 6, 9, 403].contains(status)
        for (proxy, isOpen) in [
            ("none", isDistant), ("http://proxy.example.org:3128", isDistant),
            ("http://127.0.0.1:3128", status == 0), ("http://127.1.2.3:3128", status == 0),
            ("http://[::1]:3128", status == 0), ("http://LOCALHOST:3128", status == 0),
            ("http://a.localhost.:3128", status == 0), ("http://0.0.0.0:3128", status == 0),
            ("http://[::]:3128", status == 0),
        ] {
            fixture.server.spoil(.standing, status: status)
            let settings = try fixture.settings(
                "backend = https://mpin.example.org", "method = pin\nbackup-codes = su\nproxy = \(proxy)")
            let left = try #require(try fixture.codesLeft)
            let shown = fixture.login(
                [codes[9 - left], codes[0]], settings: settings, context: fixture.context())
            #expect(try fixture.codesLeft == (isOpen ? left - 1 : left), "\(proxy)")
            #expect(shown.left == (isOpen ? left - 1 : nil), "\(proxy)")
        }
    }

    @Test func `of an account at a Milagro server suffices, and no request is sent`() throws {
        let fixture = try LoginFixture(sealed: false)
        let codes = try fixture.giveCodes()
        let shown = try fixture.loginWithCodes([codes[0]], "")
        #expect(shown.left == 2 && shown.standing == .unasked)
        #expect(fixture.server.asked(.standing).isEmpty)
    }

    @Test(arguments: [TransportError.cannotStart, .closed, .timedOut, .brokenFrame])
    func `is refused if the relay fails, because a local account may have exhausted its resources`(
        _ error: TransportError
    ) throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        fixture.server.spoil = { _, _ throws(TransportError) in throw error }
        let shown = try fixture.loginWithCodes([codes[0], codes[1]], "method = pin\nunavailable = ignore")
        switch shown.outcome {
        case .failed(.transport(error)): #expect(error != .timedOut)
        case .unavailable(let why): #expect(error == .timedOut && !why.ignored)
        default: Issue.record("\(shown.outcome)")
        }
        #expect(try fixture.codesLeft == 3)
    }

    /// By an impostor of mpind without the host's key.
    @Test func `is not accepted by a standing for another question or under another key`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        fixture.server.isRevoked = true
        let loopback = try fixture.settings(
            "backend = http://127.0.0.1:8011", "method = pin\nbackup-codes = su")
        for forge in [
            { (server: FakeServer, sealed: TaggedQuestion) in
                try server.standing(sealed, a: QuestionHash(repeating: 1), isRevoked: false)
            },
            { (server: FakeServer, sealed: TaggedQuestion) in
                let answer = try server.standing(sealed, isRevoked: false)
                guard case .standing(let seal)? = answer.body else { return answer }
                let tag = Array(repeating: UInt8(0), count: 32)
                return RelayResponse(
                    kind: .standing, status: 200,
                    body: .standing(RelaySealedResponse(answer: seal.answer, tag: tag)))
            },
        ] {
            fixture.server.spoil = { question, answer throws(TransportError) in
                guard case .standing(let sealed) = question else { return answer }
                do { return try forge(fixture.server, sealed) } catch { throw .closed }
            }
            let shown = fixture.login([codes[0]], settings: loopback, context: fixture.context())
            #expect(shown.outcome == .unavailable(Unavailable(status: 3, ignored: false)))
            #expect(try fixture.codesLeft == 3)
        }
    }

    @Test func `is accepted after a PIN that could not be sent, even where a login has one try`() throws {
        for (service, answers) in [("su", 2), ("sudo", 2)] {
            let fixture = try LoginFixture()
            let codes = try fixture.giveCodes()
            fixture.server.spoilFirst(status: 0)
            let settings = try fixture.settings("backup-codes = su sudo\nmethod = pin", service: service)
            let shown = fixture.login(
                [LoginFixture.pin, codes[0]], settings: settings, context: fixture.context(service: service))
            #expect(shown.left == 2 && shown.prompts.count == answers)
            #expect(shown.prompts.last == .backupCode && shown.notices == [.unreachable])
        }
    }

    @Test func `is accepted after an approval code that could not be checked`() throws {
        let fixture = try phoneAlone()
        let codes = try fixture.giveCodes()
        fixture.server.spoil(.authenticate, status: 0)
        let shown = try fixture.console(
            [.approved(by: LoginFixture.device), .text(codes[0])], "backup-codes = su\nmethod = phone")
        #expect(shown.left == 2 && shown.prompts.last == .backupCode)
    }

    @Test func `that is wrong is refused, and a PIN costs a try`() throws {
        let fixture = try LoginFixture()
        try fixture.giveCodes()
        fixture.server.spoilFirst(status: 0)
        let shown = try fixture.loginWithCodes([LoginFixture.pin, wrongCode, LoginFixture.pin, wrongCode])
        #expect(shown.outcome == .refused(.wrongBackupCode) && shown.prompts.count == 4)
        #expect(shown.notices == [.unreachable, .wrongBackupCode, .noBackupCode])
        #expect(fixture.server.asked.filter { $0.kind == .passTwo }.count == 1)  // by the enrolment
    }

    @Test func `is not requested if unavailable = ignore, nor of an account without codes`() throws {
        let fixture = try phoneAlone()
        fixture.server.spoilFirst(status: 0)
        let away = Outcome.unavailable(Unavailable(status: 0, ignored: false))
        #expect(try fixture.loginWithCodes([wrongCode], "method = phone").outcome == away)
        try fixture.giveCodes()
        let ignored = Outcome.unavailable(Unavailable(status: 0, ignored: true))
        let lenient = "method = phone\nunavailable = ignore"
        #expect(try fixture.loginWithCodes([wrongCode], lenient).outcome == ignored)
    }
}

@Suite(.slow) struct `A backup code in a remote login` {
    private func context(_ account: Account?, key: Bool = true) -> LoginContext {
        LoginContext(
            service: Array("sshd".utf8), account: account, rhost: Array("203.0.113.9".utf8),
            tty: Array("ssh".utf8), authInfo: key ? Array("publickey x\n".utf8) : nil, realUID: 0)
    }

    private func login(
        _ fixture: LoginFixture, _ answers: [String], _ lines: String = "backup-codes = sshd\nmethod = pin",
        account: Account? = alice, key: Bool = true
    ) throws -> LoginFixture.Shown {
        fixture.login(
            answers, settings: try fixture.settings(lines, service: "sshd", remote: true),
            context: context(account, key: key))
    }

    @Test func `is valid only where the service itself is named`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        for lines in ["method = pin", "backup-codes = su sudo login\nmethod = pin"] {
            let shown = try login(fixture, codes, lines)
            #expect(shown.outcome == .refused(.noPIN))
            #expect(try fixture.codesLeft == 3)
        }
        #expect(try login(fixture, ["1470", codes[0]]).left == 2)
        #expect(try login(fixture, [codes[1]], key: false).left == 1)
    }

    @Test(arguments: [true, false], [true, false])
    func `is requested on screens that all users see`(_ isAway: Bool, _ key: Bool) throws {
        let stages = [try LoginFixture(), try LoginFixture(), try LoginFixture(enrolled: false)]
        try stages[0].giveCodes()
        // An account with a key and only a PIN sees different screens.
        for fixture in stages.dropLast() { try fixture.addDevice() }
        for method in ["pin", "phone", "pin phone"] {
            var screens: [[Prompt?]] = []
            for (fixture, account) in [
                (stages[0], alice), (stages[1], alice), (stages[2], alice), (stages[0], nil),
            ]
                as [(LoginFixture, Account?)]
            {
                if isAway { fixture.server.spoilFirst(status: 0) }
                let shown = try login(
                    fixture, [wrongCode, "1470", wrongCode], "backup-codes = sshd\nmethod = \(method)",
                    account: account, key: key)
                #expect(shown.left == nil && shown.prompts.count == 3)
                #expect(shown.notices.suffix(2) == [.refused, .refused])
                // Sessions differ in their numbers; whether one is shown does not.
                screens.append(shown.prompts.map { $0.offers == nil ? $0 : nil })
            }
            #expect(Set(screens.map { "\($0)" }).count == 1, "\(method) \(screens)")
        }
    }

    @Test func `is accepted after a PIN that could not be sent, and not after a block`() throws {
        let away = try LoginFixture()
        let codes = try away.giveCodes()
        away.server.spoilFirst(status: 0)
        let shown = try login(away, [LoginFixture.pin, codes[0]])
        #expect(shown.left == 2 && shown.notices == [.refused])
        #expect(shown.prompts == [.pin(label: nil), .pin(label: nil)])
        let blocked = try LoginFixture()
        let others = try blocked.giveCodes()
        blocked.server.triesLeft = 1
        #expect(try login(blocked, ["1470", others[0], others[1]]).outcome == .blocked(releaseAfter: 60))
        #expect(try blocked.codesLeft == 3)
    }

    @Test func `is requested where no other method is open to any user`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        let shown = try login(fixture, [wrongCode, codes[0]], key: false)
        #expect(shown.left == 2 && shown.prompts == [.backupCode, .backupCode])
    }

    @Test func `is still required under a lenient policy if the account has nothing else`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        fixture.server.spoilFirst(status: 0)
        let lenient = "backup-codes = sshd\nmethod = phone\nunavailable = ignore\nremote-ignore = yes"
        let shown = try login(fixture, [wrongCode, wrongCode, codes[0]], lenient)
        #expect(shown.left == 2 && shown.prompts == [.backupCode, .backupCode, .backupCode])
    }
}
