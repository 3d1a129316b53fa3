// SPDX-License-Identifier: Apache-2.0
// Remote services: who may type a PIN there, and screens that are the same for all users.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Testing

@Suite struct `A remote login` {
    /// Prompts, notices and outcome of a login with these answers.
    private func screens(
        _ fixture: LoginFixture, _ account: Account?, answers: [String], lines: String = ""
    ) throws -> LoginFixture.Shown {
        let context = LoginContext(
            service: Array("sshd".utf8), account: account, rhost: Array("203.0.113.9".utf8),
            tty: Array("ssh".utf8), authInfo: Array("publickey ssh-ed25519 AAAA\n".utf8), realUID: 0)
        return fixture.login(
            answers, settings: try fixture.settings("method = pin\n\(lines)", service: "sshd"),
            context: context)
    }

    @Test func `requests a PIN of a user who showed a public key before`() throws {
        let fixture = try LoginFixture()
        let settings = try fixture.settings("method = pin", service: "sshd")
        #expect(
            fixture.login([LoginFixture.pin], settings: settings, context: fixture.afar).outcome.isGranted)
    }

    @Test(arguments: [
        nil, "", "password", "keyboard-interactive/pam\n", "xpublickey ssh-ed25519 AAAA",
        "hostbased publickey ssh-rsa AAAA",
    ])
    func `requests a PIN of no other user, and sends nothing`(_ authInfo: String?) throws {
        let fixture = try LoginFixture()
        let settings = try fixture.settings("method = pin", service: "sshd")
        let before = fixture.server.asked.count
        let context = fixture.context(service: "sshd", rhost: "203.0.113.9", tty: "ssh", authInfo: authInfo)
        let shown = fixture.login([LoginFixture.pin], settings: settings, context: context)
        #expect(shown.outcome == .refused(.remotePINRefused))
        #expect(shown.prompts == [])
        #expect(fixture.server.asked.count == before)
    }

    @Test func `requests no PIN under remote-pin = no`() throws {
        let fixture = try LoginFixture()
        let settings = try fixture.settings("method = pin\nremote-pin = no", service: "sshd")
        let shown = fixture.login([LoginFixture.pin], settings: settings, context: fixture.afar)
        #expect(shown.outcome == .refused(.remotePINRefused))
    }

    @Test func `accepts without a key, under remote-pin = long, a PIN that was enrolled for it`() throws {
        let fixture = try LoginFixture(remote: true, rule: .stretched)
        let settings = try fixture.settings("method = pin\nremote-pin = long", service: "sshd")
        let context = fixture.context(service: "sshd", rhost: "203.0.113.9", tty: "ssh")
        #expect(fixture.login([LoginFixture.longPIN], settings: settings, context: context).outcome.isGranted)
    }

    @Test func `under remote-pin = long shows other users the same and sends nothing`() throws {
        let fixture = try LoginFixture()
        let before = fixture.server.asked.count
        let shown = try screens(
            fixture, alice, answers: [LoginFixture.pin, "a", "b"], lines: "remote-pin = long")
        #expect(shown.outcome == .notEnrolled(NotEnrolled(cause: .notForRemote, ignored: false)))
        #expect(shown.prompts == [.pin(label: nil), .pin(label: nil), .pin(label: nil)])
        #expect(fixture.server.asked.count == before)
    }

    @Test func `sends nothing after the last try, and accepts no backup code`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        (fixture.server.triesLeft, fixture.server.saysNoneLeft) = (1, true)
        let before = fixture.server.asked.count
        let shown = fixture.login(
            ["1470", codes[0], LoginFixture.pin],
            settings: try fixture.settings(naming: "sshd", "method = pin", remote: true),
            context: fixture.afar)
        #expect(shown.outcome == .refused(.wrongPIN(triesLeft: 0)))
        #expect(shown.prompts.count == 3)
        #expect(fixture.server.asked.dropFirst(before).filter { $0.kind == .authenticate }.count == 1)
        #expect(fixture.server.asked.last?.kind == .authenticate)
        #expect(try fixture.codesLeft == 3)
    }

    @Test func `shows the same screens to all users who are refused`() throws {
        let enrolled = try LoginFixture()
        let wrong = try screens(enrolled, alice, answers: ["1470", "1471", "1472"])
        #expect(wrong.outcome == .blocked(releaseAfter: 60))
        let blocked = try screens(try LoginFixture(), alice, answers: ["", "", ""])
        let unenrolled = try screens(
            try LoginFixture(enrolled: false), alice, answers: ["1470", "1471", "1472"])
        #expect(unenrolled.outcome == .notEnrolled(NotEnrolled(cause: .noFile, ignored: false)))
        let unknown = try screens(enrolled, nil, answers: ["1470", "", "\u{8}\n\r\u{7f}INCORRECT"])
        #expect(unknown.outcome == .notEnrolled(NotEnrolled(cause: .unknownAccount, ignored: false)))
        let revoked = try LoginFixture()
        revoked.server.isRevoked = true
        let out = try screens(
            revoked, alice, answers: [LoginFixture.pin, LoginFixture.pin, LoginFixture.pin])
        #expect(out.outcome == .revoked)
        let root = Account(uid: 0, gid: 0, name: Array("root".utf8))
        let never = try screens(enrolled, root, answers: ["1470", "1471", "1472"])
        #expect(never.outcome == .notEnrolled(NotEnrolled(cause: .excluded(.never), ignored: false)))
        for shown in [wrong, blocked, unenrolled, unknown, out, never] {
            #expect(shown.prompts == [.pin(label: nil), .pin(label: nil), .pin(label: nil)])
            #expect(shown.notices == [.refused, .refused])
        }
    }

    @Test(arguments: [UInt16(0), 1, 3, 500])
    func `shows the same screens if the server is unavailable`(
        _ status: UInt16
    ) throws {
        let fixture = try LoginFixture()
        fixture.server.spoil(.passOne, status: status)
        let before = fixture.server.asked.count
        let shown = try screens(
            fixture, alice, answers: [LoginFixture.pin, LoginFixture.pin, LoginFixture.pin])
        let expected: Outcome =
            status == 3
            ? .failed(.answer(.passOne, status: 3))
            : .unavailable(Unavailable(status: status))
        #expect(shown.outcome == expected)
        #expect(shown.prompts.count == 3 && shown.notices == [.refused, .refused])
        #expect(shown.isPersonal)
        #expect(fixture.server.asked.count == before + 1)
    }

    @Test func `shows the same screens if the account's file is damaged or the relay dies`() throws {
        let damaged = try LoginFixture()
        try damaged.folder.write("rubbish", to: "store/users/4711")
        let lost = try LoginFixture()
        lost.server.spoil = { _, _ throws(TransportError) in throw .closed }
        for fixture in [damaged, lost] {
            let shown = try screens(
                fixture, alice, answers: [LoginFixture.pin, LoginFixture.pin, LoginFixture.pin])
            guard case .failed = shown.outcome else {
                Issue.record("\(shown.outcome)")
                return
            }
            #expect(shown.prompts.count == 3 && shown.notices == [.refused, .refused])
            #expect(shown.isPersonal)
        }
    }

    @Test func `to a host that is broken for all users shows no prompt`() throws {
        let fixture = try LoginFixture()
        try fixture.mode("store/users", 0o755)
        let shown = try screens(fixture, alice, answers: [LoginFixture.pin])
        guard case .failed(.store) = shown.outcome else {
            Issue.record("\(shown.outcome)")
            return
        }
        #expect(shown.prompts == [] && !shown.isPersonal)
    }

    @Test func `is not granted with the right PIN once the user is locked`() throws {
        let fixture = try LoginFixture()
        fixture.server.triesLeft = 1
        let shown = try screens(fixture, alice, answers: ["1470", LoginFixture.pin, LoginFixture.pin])
        #expect(shown.outcome == .blocked(releaseAfter: 60))
        #expect(fixture.server.asked(.passOne).count == 2)
    }

    @Test func `treats a second name of root as root`() throws {
        let fixture = try LoginFixture()
        let toor = Account(uid: 0, gid: 0, name: Array("toor".utf8))
        let shown = try screens(
            fixture, toor, answers: [LoginFixture.pin, LoginFixture.pin, LoginFixture.pin])
        #expect(shown.outcome == .notEnrolled(NotEnrolled(cause: .excluded(.never), ignored: false)))
    }
}

@Suite struct `A user who is not enrolled` {
    @Test func `is not prompted in a local login`() throws {
        let fixture = try LoginFixture(enrolled: false)
        let shown = try fixture.login(LoginFixture.pin)
        #expect(shown.outcome == .notEnrolled(NotEnrolled(cause: .noFile, ignored: false)))
        #expect(shown.prompts == [])
    }

    @Test func `is ignored only where the store proves it and the policy allows it`() throws {
        let fixture = try LoginFixture(enrolled: false)
        let settings = try fixture.settings("unenrolled = ignore")
        let ignored = fixture.login([], settings: settings, context: fixture.context()).outcome
        #expect(ignored == .notEnrolled(NotEnrolled(cause: .noFile, ignored: true)))
        let unknown = fixture.login([], settings: settings, context: fixture.context(account: nil)).outcome
        #expect(unknown == .notEnrolled(NotEnrolled(cause: .unknownAccount, ignored: false)))
        let excluded = try fixture.settings("unenrolled = ignore\nusers = bob")
        #expect(
            fixture.login([], settings: excluded, context: fixture.context()).outcome
                == .notEnrolled(NotEnrolled(cause: .excluded(.users), ignored: false)))
    }

    @Test func `but has a second device is not ignored`() throws {
        let fixture = try LoginFixture(enrolled: false)
        try fixture.addDevice()
        let settings = try fixture.settings("unenrolled = ignore\nmethod = pin")
        let outcome = fixture.login([LoginFixture.pin], settings: settings, context: fixture.context())
            .outcome
        #expect(outcome == .notEnrolled(NotEnrolled(cause: .noPINHere, ignored: false)))
    }
}

@Suite struct `The source of a login` {
    @Test(
        arguments: [
            (nil, "pts/3", false), ("", "pts/3", false), (nil, nil, false), ("192.0.2.1", nil, true),
            ("host.example.org", "pts/3", true), (nil, "ssh", true), ("", "ssh", true), ("::1", "tty1", true),
        ] as [(String?, String?, Bool)])
    func `is remote if PAM names a host or sshd`(_ rhost: String?, _ tty: String?, _ remote: Bool) {
        let context = LoginContext(
            service: Array("su".utf8), account: nil, rhost: rhost.map { Array($0.utf8) },
            tty: tty.map { Array($0.utf8) }, authInfo: Array("publickey x\n".utf8), realUID: 1_007)
        #expect(context.isRemote == remote)
        #expect(context.keyAccepted == remote)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"), ("fe80::1%eth0", "fe80::1"),
        ("host.example.org", "unknown"), ("192.0.2.256", "unknown"), ("\u{1b}[2J", "unknown"),
        ("", "local:1007"),
    ])
    func `is an address, the caller's uid, or unknown`(_ rhost: String, _ source: String) {
        let context = LoginContext(
            service: Array("su".utf8), account: nil, rhost: Array(rhost.utf8), tty: nil, authInfo: nil,
            realUID: 1_007)
        #expect(context.source == Array(source.utf8))
    }

    @Test func `keeps control characters out of the tty`() {
        let context = LoginContext(
            service: Array("su".utf8), account: nil, rhost: nil, tty: Array("pts/\u{1b}[2J\u{e9}".utf8),
            authInfo: nil, realUID: 1_007)
        #expect(context.tty == Array("pts/?[2J??".utf8))
    }
}
