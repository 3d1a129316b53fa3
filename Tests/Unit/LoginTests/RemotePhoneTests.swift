// SPDX-License-Identifier: Apache-2.0
// A second device in services that people reach over the network: screens are everybody's, sessions are real.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Testing

@Suite struct `From afar by a second device` {
    private func context(_ account: Account?, key: Bool = false) -> LoginContext {
        LoginContext(
            service: Array("sshd".utf8), account: account, rhost: Array("203.0.113.9".utf8),
            tty: Array("ssh".utf8), authInfo: key ? Array("publickey ssh-ed25519 AAAA\n".utf8) : nil,
            realUID: 0)
    }

    private func stage(enrolled: Bool = true, device: Bool = true) throws -> LoginFixture {
        let stage = try LoginFixture(enrolled: enrolled)
        if device { try stage.addDevice() }
        return stage
    }

    @Test func `without a key the letters alone are asked for, and let in`() throws {
        let stage = try stage()
        let shown = try stage.console(
            [.text(LoginFixture.pin), .approved(by: LoginFixture.device)], context: context(alice))
        #expect(shown.outcome.isGranted && shown.notices == [.refused])
        #expect(shown.prompts.map { $0.offers?.pin } == [false, false])
        #expect(stage.bank.asked(.passOne).count == 1)  // that of the enrolment
        let ask = try #require(try stage.sessionAsk())
        #expect(ask.source == Array("203.0.113.9".utf8) && ask.flags == 0)
    }

    @Test func `with a key both are asked for, and each lets in`() throws {
        let stage = try stage()
        let context = context(alice, key: true)
        let byLetters = try stage.console([.approved(by: LoginFixture.device)], context: context)
        let byPIN = try stage.console([.text(LoginFixture.pin)], context: context)
        #expect(byLetters.outcome.isGranted && byPIN.outcome.isGranted)
        #expect((byLetters.prompts + byPIN.prompts).map { $0.offers?.pin } == [true, true])
    }

    @Test(arguments: [false, true]) func `strangers see what everybody sees`(_ key: Bool) throws {
        let root = Account(uid: 0, gid: 0, name: Array("root".utf8))
        let enrolled = try stage()
        let damaged = try stage()
        try damaged.folder.write("rubbish", to: "store/users/4711")
        var cases: [(LoginFixture, Account?, ids: Int, name: String)] = [
            (enrolled, alice, 1, "alice"), (try stage(enrolled: false, device: false), alice, 0, "alice"),
            (enrolled, nil, 0, "unknown"), (enrolled, root, 0, "root"), (damaged, alice, 0, "alice"),
        ]
        if !key { cases.append((try stage(device: false), alice, ids: 0, name: "alice")) }
        for (stage, account, ids, name) in cases {
            let before = stage.bank.asked.count
            let typed: [Typed] = [.wrongLetters, .text(""), .text("\u{8}\n\r\u{7f}INCORRECT")]
            let shown = try stage.console(typed, context: context(account, key: key))
            #expect(shown.prompts.map { $0.offers?.pin } == [key, key, key], "\(name) \(ids)")
            #expect(shown.notices == [.refused, .refused])
            #expect(!shown.outcome.isGranted && shown.isPersonal)
            #expect(stage.bank.asked.dropFirst(before).map(\.kind) == [.settings, .session])
            let ask = try #require(try stage.sessionAsk())
            #expect(ask.ids.count == ids && ask.account == Array(name.utf8))
        }
    }

    @Test func `somebody with a key and a PIN alone is not told to use a phone`() throws {
        let stage = try stage(device: false)
        let context = context(alice, key: true)
        let settings = try stage.settings("tries = 2", service: "sshd", remote: true)
        let shown = stage.login(["1470", LoginFixture.pin], settings: settings, context: context)
        #expect(shown.outcome.isGranted && shown.notices == [.refused])
        #expect(shown.prompts == [.pin(label: nil), .pin(label: nil)])
        #expect(stage.bank.asked(.session).isEmpty)
        let ways = AccountCredentials.find(settings, context).ways
        #expect(ways.phone == .account(.noPhone) && ways.showsPIN && !ways.showsPhone)
    }

    @Test func `nobody gets in by an approval where no identity is listed`() throws {
        let stage = try stage(device: false)
        let typed = [Typed](repeating: .approved(by: LoginFixture.device), count: 3)
        let shown = try stage.console(typed, context: context(alice))
        #expect(shown.outcome == .notEnrolled(NotEnrolled(cause: .noPhone, ignored: false)))
        #expect(stage.bank.asked(.authenticate).count == 1)  // that of the enrolment
    }

    @Test func `a PIN of who has a device alone is refused and not sent`() throws {
        let stage = try stage(enrolled: false)
        let shown = try stage.console(
            [.text(LoginFixture.pin), .approved(by: LoginFixture.device)], context: context(alice, key: true))
        #expect(shown.outcome.isGranted && shown.notices == [.refused])
        #expect(stage.bank.asked(.passOne).isEmpty)
    }

    @Test func `once a PIN is blocked the letters are no way round it`() throws {
        let stage = try stage()
        stage.bank.triesLeft = 1
        let typed: [Typed] = [.text("1470"), .approved(by: LoginFixture.device), .text(LoginFixture.pin)]
        let shown = try stage.console(typed, context: context(alice, key: true))
        #expect(shown.outcome == .blocked(releaseAfter: 60))
        #expect(shown.prompts.count == 3)
    }

    @Test(arguments: [("", true), ("users = !alice", false), ("groups = nobodys", false)])
    func `a server that is away lets past nobody whom this host leaves out`(
        _ rule: String, _ ignored: Bool
    ) throws {
        let stage = try stage()
        stage.bank.spoil(.settings, status: 0)
        let shown = try stage.console(
            [], "unavailable = ignore\nremote-ignore = yes\n" + rule, context: context(alice, key: false))
        #expect(shown.outcome == .unavailable(Unavailable(status: 0, ignored: ignored)))
        #expect(shown.prompts.isEmpty && !shown.isPersonal)
    }

    @Test(arguments: [UInt16(0), 1, 404, 429, 503])
    func `without a session all see the same`(_ status: UInt16) throws {
        for (key, account) in [(true, alice), (true, nil), (false, alice), (false, nil)] as [(Bool, Account?)]
        {
            let stage = try stage()
            stage.bank.spoil(.session, status: status)
            let shown = try stage.console(
                [.text("1470"), .text("1471")], "tries = 2", context: context(account, key: key))
            #expect(shown.prompts == (key ? [.pin(label: nil), .pin(label: nil)] : []))
            #expect(shown.isPersonal == key)
        }
    }
}

@Suite struct `Which ways are open` {
    @Test(
        arguments: [
            ("pin", nil, nil, Unavailability?.none, Unavailability?.some(.method)),
            ("phone", nil, nil, .method, nil), ("pin phone", nil, nil, nil, nil),
            ("pin phone", "192.0.2.1", nil, .remotePIN, nil),
            ("pin phone", "192.0.2.1", "publickey x\n", nil, nil),
            ("pin", "192.0.2.1", nil, .remotePIN, .method), ("phone", "192.0.2.1", nil, .method, nil),
        ] as [(String, String?, String?, Unavailability?, Unavailability?)])
    func `is said by method, source and key, with the reason`(
        _ method: String, _ rhost: String?, _ authInfo: String?, _ pin: Unavailability?,
        _ phone: Unavailability?
    ) throws {
        let stage = try LoginFixture()
        try stage.addDevice()
        let context = stage.context(service: "su", rhost: rhost, tty: nil, authInfo: authInfo)
        let settings = try stage.settings("method = \(method)", remote: context.isRemote)
        let ways = AccountCredentials.find(settings, context).ways
        #expect(ways.pin == pin && ways.phone == phone)
        #expect(ways.ending(settings) == (pin != nil && phone != nil ? .refused(.remotePINRefused) : nil))
    }

    @Test func `names what the account lacks`() throws {
        let stage = try LoginFixture(enrolled: false)
        let (settings, here) = (try stage.settings(), stage.context())
        let missing = AccountCredentials.find(settings, here).ways
        #expect(missing.pin == .account(.noFile) && missing.phone == .account(.noFile))
        try stage.addDevice()
        let ways = AccountCredentials.find(settings, here).ways
        #expect(ways.pin == .account(.noPINHere) && ways.phone == nil)
        #expect(!ways.showsPIN && ways.showsPhone)
    }
}
