// SPDX-License-Identifier: Apache-2.0
// FinishAuthenticationAN and related calls: a browser's number and QR code, and refusals.
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
            "a wrong PIN is reported there, too",
            status { _ = try client.finishAuthentication(user, pin: PIN("4321"), accessNumber: number) },
            .incorrectPIN)
        fixture.equal("the browser still waits", try browser.poll().status, "wid")
        // The device has not fetched the session's details: the library does.
        let login = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: number)
        fixture.equal("a browser has no approval code to type", login.code, nil)
        fixture.equal("the browser is logged in", try browser.logIn(), 200)
        fixture.holds("the device can log it out", client.canLogout(user))
        fixture.holds("the device logs the browser out", client.logout(user))
        fixture.holds("the device logs the browser out once", !client.canLogout(user) && !client.logout(user))
    }
}

struct QRCode: Flow {
    static let configuration = CommandConfiguration(
        commandName: "qr-code", abstract: "Log a browser in by its QR code.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        let browser = try Browser(place, by: Route.getQrUrl, expecting: fixture.user)
        fixture.equal("the QR code has not been scanned", try browser.poll().status, "new")
        let details = try client.sessionDetails(accessCode: browser.wid)
        fixture.equal("the device is told whom the page expects", details.prerollID, fixture.user)
        fixture.holds("the device is told that a browser waits", details.appName.hasPrefix("browser on "))
        fixture.equal("the page's poll shows the scan", try browser.poll().status, "wid")
        try client.startAuthentication(user, accessCode: browser.wid)
        fixture.equal("the page's poll shows the user's choice", try browser.poll().status, "user")
        _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: browser.wid)
        fixture.equal("the browser is logged in", try browser.logIn(), 200)
        fixture.equal("the session ends with the login", try browser.poll().status, "expired")
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
        fixture.equal("an aborted session ends at once", try aborted.poll().status, "expired")
        let denied = try Browser(place, by: Route.getQrUrl)
        try client.startAuthentication(user, accessCode: denied.wid)
        fixture.equal(
            "a wrong PIN denies nothing",
            status { try client.deny(user, pin: PIN("4321"), accessCode: denied.wid) }, .incorrectPIN)
        fixture.holds("the session has not ended", try denied.poll().status != "expired")
        try client.deny(user, pin: PIN(FlowFixture.pin), accessCode: denied.wid)
        fixture.equal("a denied session ends at once", try denied.poll().status, "expired")
        fixture.equal(
            "a denied session cannot be approved",
            status {
                _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: denied.wid)
            }, .incorrectAccessNumber)
        fixture.holds("a proof for a session that has ended was not counted", try !client.logIn(user).isEmpty)
    }
}

struct Approve: Flow {
    static let configuration = CommandConfiguration(
        abstract: "Register, report it, and approve the login whose number or code is read.",
        discussion: "Prints `registered`, reads one line, and prints `code CODE` or `approved`.")
    @OptionGroup var place: FlowServer
    @Option(help: "The activation code of the user.") var code: String
    @Option(help: "The user who registers.") var user: String

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let begun = try client.startRegistration(client.makeUser(user), activateCode: code)
        try client.confirmRegistration(begun)
        let user = try client.finishRegistration(begun, pin: PIN(FlowFixture.pin))
        say("registered")
        let accessCode = readLine() ?? ""
        let details = try client.sessionDetails(accessCode: accessCode, for: user)
        fixture.holds("the device is shown details of the login", details.request != nil)
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
    /// Begins a login, and expects refusal of two other numbers: one with a wrong checksum, and one without a
    /// session.
    func refusesNumbersBut(_ number: String, for user: User, of client: Client) throws {
        equal(
            "a number with a wrong checksum is refused by the library",
            status { try client.checkAccessNumber("1234567") }, .incorrectAccessNumber)
        try client.startAuthentication(user)
        // Its last digit is right.
        let other = number == "1111116" ? "2222221" : "1111116"
        equal(
            "another number with a right checksum is accepted",
            status { try client.checkAccessNumber(other) }, .ok)
        equal(
            "a number without a session is refused",
            status {
                _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: other)
            },
            .incorrectAccessNumber)
    }
}
