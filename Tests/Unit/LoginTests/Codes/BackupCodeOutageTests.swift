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

    @Test func `of an account at a Milagro server suffices, and no request is sent`() throws {
        let fixture = try LoginFixture(sealed: false)
        let codes = try fixture.giveCodes()
        let shown = try fixture.loginWithCodes([codes[0]], "")
        #expect(shown.left == 2 && shown.standing == .unasked)
        #expect(fixture.server.asked(.standing).isEmpty)
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
            #expect(shown.outcome == .unavailable(Unavailable(status: 3)))
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

    @Test func `is not requested of an account without codes`() throws {
        let fixture = try phoneAlone()
        fixture.server.spoilFirst(status: 0)
        let away = Outcome.unavailable(Unavailable(status: 0))
        #expect(try fixture.loginWithCodes([wrongCode], "method = phone").outcome == away)
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
            answers, settings: try fixture.settings(lines, service: "sshd"),
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
}
