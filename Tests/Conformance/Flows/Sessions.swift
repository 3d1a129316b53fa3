// SPDX-License-Identifier: Apache-2.0
// FinishAuthenticationAN and what goes with it: a browser's number and picture, refusals, a console.
import ArgumentParser
import MPinClient
import MPinWire

struct Number: Flow {
    static let configuration = CommandConfiguration(abstract: "Log a browser in by its number.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        let browser = try Browser(place, by: Route.getAccessNumber)
        let number = browser.opened.accessNumber ?? ""
        fixture.equal("the browser has a number", status { try client.checkAccessNumber(number) }, .ok)
        try fixture.refusesNumbersBut(number, for: user, of: client)
        fixture.equal(
            "a wrong PIN is wrong there, too",
            status { _ = try client.finishAuthentication(user, pin: PIN("4321"), accessNumber: number) },
            .incorrectPIN)
        fixture.equal("the browser still waits", try browser.poll().status, "wid")
        // Nobody asked for the session's details: the library does.
        let login = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: number)
        fixture.equal("a browser has no approval code to type", login.code, nil)
        fixture.equal("the browser is logged in", try browser.logIn(), 200)
        fixture.holds("the device can log it out", client.canLogout(user))
        fixture.holds("and does", client.logout(user))
        fixture.holds("once", !client.canLogout(user) && !client.logout(user))
    }
}

struct Picture: Flow {
    static let configuration = CommandConfiguration(abstract: "Log a browser in by its picture.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        let browser = try Browser(place, by: Route.getQrUrl, expecting: fixture.user)
        fixture.equal("nobody has scanned it", try browser.poll().status, "new")
        let details = try client.sessionDetails(accessCode: browser.wid)
        fixture.equal("the device is told whom the page expects", details.prerollID, fixture.user)
        fixture.holds("and what waits there", details.appName.hasPrefix("browser on "))
        fixture.equal("the page hears of the scan", try browser.poll().status, "wid")
        try client.startAuthentication(user, accessCode: browser.wid)
        fixture.equal("and of the user's choice", try browser.poll().status, "user")
        _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: browser.wid)
        fixture.equal("and logs in", try browser.logIn(), 200)
        fixture.equal("once", try browser.poll().status, "expired")
    }
}

struct Refusal: Flow {
    static let configuration = CommandConfiguration(abstract: "Refuse a login, with a PIN and without one.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        let aborted = try Browser(place, by: Route.getQrUrl)
        _ = try client.sessionDetails(accessCode: aborted.wid)
        try client.abortSession(accessCode: aborted.wid)
        fixture.equal("a session that was aborted is over at once", try aborted.poll().status, "expired")
        let denied = try Browser(place, by: Route.getQrUrl)
        try client.startAuthentication(user, accessCode: denied.wid)
        fixture.equal(
            "a wrong PIN denies nothing",
            status { try client.deny(user, pin: PIN("4321"), accessCode: denied.wid) }, .incorrectPIN)
        fixture.holds("the session lives", try denied.poll().status != "expired")
        try client.deny(user, pin: PIN(FlowFixture.pin), accessCode: denied.wid)
        fixture.equal("a session that was denied is over at once", try denied.poll().status, "expired")
        fixture.equal(
            "and nobody approves it any more",
            status {
                _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: denied.wid)
            }, .incorrectAccessNumber)
        fixture.holds("a proof that nobody waits for was not counted", try !client.logIn(user).isEmpty)
    }
}

struct Approve: Flow {
    static let configuration = CommandConfiguration(
        abstract: "Register, say so, and approve the login whose number or code is read then.",
        discussion: "Prints `registered`, reads one line, and prints `code CODE` or `approved`.")
    @OptionGroup var place: FlowServer
    @Option(help: "The activation code of the user.") var code: String
    @Option(help: "Who registers.") var user: String

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let begun = try client.startRegistration(client.makeUser(user), activateCode: code)
        try client.confirmRegistration(begun)
        let user = try client.finishRegistration(begun, pin: PIN(FlowFixture.pin))
        say("registered")
        let accessCode = readLine() ?? ""
        let details = try client.sessionDetails(accessCode: accessCode, for: user)
        fixture.holds("the device is shown who asks", details.request != nil)
        say("asked by \(details.request?.service ?? "") on \(details.request?.host ?? "")")
        try client.startAuthentication(user, accessCode: accessCode)
        let login = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: accessCode)
        say(login.code.map { "code \($0)" } ?? "approved")
    }

    private func say(_ line: String) {
        print(line)
        flushEverything()
    }
}

extension FlowFixture {
    /// Begins a login, and is refused at every number but the session's: one that does not check, and one at
    /// which nobody waits.
    func refusesNumbersBut(_ number: String, for user: User, of client: Client) throws {
        equal(
            "one whose last digit does not check is refused here",
            status { try client.checkAccessNumber("1234567") }, .incorrectAccessNumber)
        try client.startAuthentication(user)
        // Its last digit is right.
        let other = number == "1111116" ? "2222221" : "1111116"
        equal("another number is one", status { try client.checkAccessNumber(other) }, .ok)
        equal(
            "at which nobody waits",
            status {
                _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: other)
            },
            .incorrectAccessNumber)
    }
}
