// SPDX-License-Identifier: Apache-2.0
// A second device in remote services: all users see the same screens, but only sessions of an account with a
// device can be approved.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct `A remote login by a second device` {
    private func context(_ account: Account?, key: Bool = false) -> LoginContext {
        LoginContext(
            service: Array("sshd".utf8), account: account, rhost: Array("203.0.113.9".utf8),
            tty: Array("ssh".utf8), authInfo: key ? Array("publickey ssh-ed25519 AAAA\n".utf8) : nil,
            realUID: 0)
    }

    private func fixture(enrolled: Bool = true, device: Bool = true) throws -> LoginFixture {
        let fixture = try LoginFixture(enrolled: enrolled)
        if device { try fixture.addDevice() }
        return fixture
    }

    @Test func `without a public key accepts only the approval code`() throws {
        let fixture = try fixture()
        let shown = try fixture.console(
            [.text(LoginFixture.pin), .approved(by: LoginFixture.device)], context: context(alice))
        #expect(shown.outcome.isGranted && shown.notices == [.refused])
        #expect(shown.prompts.map { $0.offers?.pin } == [false, false])
        #expect(fixture.server.asked(.passOne).count == 1)  // by the enrolment
        let question = try #require(try fixture.sessionAsk())
        #expect(question.source == Array("203.0.113.9".utf8) && question.flags == 0)
    }

    @Test func `with a public key accepts PIN and approval code`() throws {
        let fixture = try fixture()
        let context = context(alice, key: true)
        let byCode = try fixture.console([.approved(by: LoginFixture.device)], context: context)
        let byPIN = try fixture.console([.text(LoginFixture.pin)], context: context)
        #expect(byCode.outcome.isGranted && byPIN.outcome.isGranted)
        #expect((byCode.prompts + byPIN.prompts).map { $0.offers?.pin } == [true, true])
    }

    @Test(arguments: [false, true]) func `strangers see what every user sees`(_ key: Bool) throws {
        let root = Account(uid: 0, gid: 0, name: Array("root".utf8))
        let enrolled = try fixture()
        let damaged = try fixture()
        try damaged.folder.write("rubbish", to: "store/users/4711")
        var cases: [(LoginFixture, Account?, ids: Int, name: String)] = [
            (enrolled, alice, 1, "alice"), (try fixture(enrolled: false, device: false), alice, 0, "alice"),
            (enrolled, nil, 0, "unknown"), (enrolled, root, 0, "root"), (damaged, alice, 0, "alice"),
        ]
        if !key { cases.append((try fixture(device: false), alice, ids: 0, name: "alice")) }
        for (fixture, account, ids, name) in cases {
            let before = fixture.server.asked.count
            let typed: [Typed] = [.wrongCode, .text(""), .text("\u{8}\n\r\u{7f}INCORRECT")]
            let shown = try fixture.console(typed, context: context(account, key: key))
            #expect(shown.prompts.map { $0.offers?.pin } == [key, key, key], "\(name) \(ids)")
            #expect(shown.notices == [.refused, .refused])
            #expect(!shown.outcome.isGranted && shown.isPersonal)
            #expect(fixture.server.asked.dropFirst(before).map(\.kind) == [.session])
            let question = try #require(try fixture.sessionAsk())
            #expect(question.ids.count == ids && question.account == Array(name.utf8))
        }
    }

    @Test func `a user with a public key and only a PIN is not told to use a phone`() throws {
        let fixture = try fixture(device: false)
        let context = context(alice, key: true)
        let settings = try fixture.settings("tries = 2", service: "sshd")
        let shown = fixture.login(["1470", LoginFixture.pin], settings: settings, context: context)
        #expect(shown.outcome.isGranted && shown.notices == [.refused])
        #expect(shown.prompts == [.pin(label: nil), .pin(label: nil)])
        #expect(fixture.server.asked(.session).isEmpty)
        let methods = AccountCredentials.find(settings, context).methods
        #expect(methods.phone == .account(.noPhone) && methods.showsPIN && !methods.showsPhone)
    }

    @Test func `an approval grants nothing where no identity is listed`() throws {
        let fixture = try fixture(device: false)
        let typed = [Typed](repeating: .approved(by: LoginFixture.device), count: 3)
        let shown = try fixture.console(typed, context: context(alice))
        #expect(shown.outcome == .notEnrolled(NotEnrolled(cause: .noPhone, ignored: false)))
        #expect(fixture.server.asked(.authenticate).count == 1)  // by the enrolment
    }

    @Test func `a PIN of a user who has only a device is refused and not sent`() throws {
        let fixture = try fixture(enrolled: false)
        let shown = try fixture.console(
            [.text(LoginFixture.pin), .approved(by: LoginFixture.device)], context: context(alice, key: true))
        #expect(shown.outcome.isGranted && shown.notices == [.refused])
        #expect(fixture.server.asked(.passOne).isEmpty)
    }

    @Test func `an approval code does not bypass a locked PIN`() throws {
        let fixture = try fixture()
        fixture.server.triesLeft = 1
        let typed: [Typed] = [.text("1470"), .approved(by: LoginFixture.device), .text(LoginFixture.pin)]
        let shown = try fixture.console(typed, context: context(alice, key: true))
        #expect(shown.outcome == .blocked(releaseAfter: 60))
        #expect(shown.prompts.count == 3)
    }

    @Test(arguments: [UInt16(0), 1, 404, 429, 503])
    func `without a session all users see the same`(_ status: UInt16) throws {
        for (key, account) in [(true, alice), (true, nil), (false, alice), (false, nil)] as [(Bool, Account?)]
        {
            let fixture = try fixture()
            fixture.server.spoil(.session, status: status)
            let shown = try fixture.console(
                [.text("1470"), .text("1471")], "tries = 2", context: context(account, key: key))
            #expect(shown.prompts == (key ? [.pin(label: nil), .pin(label: nil)] : []))
            #expect(shown.isPersonal == key)
        }
    }
}

@Suite(.slow) struct `The open methods` {
    @Test(
        arguments: [
            ("pin", nil, nil, Unavailability?.none, Unavailability?.some(.method)),
            ("phone", nil, nil, .method, nil), ("pin phone", nil, nil, nil, nil),
            ("pin phone", "192.0.2.1", nil, .remotePIN, nil),
            ("pin phone", "192.0.2.1", "publickey x\n", nil, nil),
            ("pin", "192.0.2.1", nil, .remotePIN, .method), ("phone", "192.0.2.1", nil, .method, nil),
        ] as [(String, String?, String?, Unavailability?, Unavailability?)])
    func `follow from setting, source and key, and each closed one has a reason`(
        _ method: String, _ rhost: String?, _ authInfo: String?, _ pin: Unavailability?,
        _ phone: Unavailability?
    ) throws {
        let fixture = try LoginFixture()
        try fixture.addDevice()
        let context = fixture.context(service: "su", rhost: rhost, tty: nil, authInfo: authInfo)
        let settings = try fixture.settings("method = \(method)")
        let methods = AccountCredentials.find(settings, context).methods
        #expect(methods.pin == pin && methods.phone == phone)
        #expect(methods.ending(settings) == (pin != nil && phone != nil ? .refused(.remotePINRefused) : nil))
    }

    @Test func `name what the account lacks`() throws {
        let fixture = try LoginFixture(enrolled: false)
        let (settings, here) = (try fixture.settings(), fixture.context())
        let missing = AccountCredentials.find(settings, here).methods
        #expect(missing.pin == .account(.noFile) && missing.phone == .account(.noFile))
        try fixture.addDevice()
        let methods = AccountCredentials.find(settings, here).methods
        #expect(methods.pin == .account(.noPINHere) && methods.phone == nil)
        #expect(!methods.showsPIN && methods.showsPhone)
    }
}
