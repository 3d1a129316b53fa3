// SPDX-License-Identifier: Apache-2.0
// FinishAuthenticationAN and related calls with the console of a login host, which needs no profile.
import ArgumentParser
import MPin
import MPinClient

struct AtConsole: Flow {
    static let configuration = CommandConfiguration(
        commandName: "console", abstract: "Log a console in by its number and by its QR code.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        let host = try LoginHost(fixture)
        let console = try host.console(for: [user.mpinID])
        fixture.equal(
            "the console has a number", status { try client.checkAccessNumber(console.number) }, .ok)
        try fixture.refusesNumbersBut(console.number, for: user, of: client)
        fixture.equal(
            "a wrong PIN is reported there, too",
            outcome {
                _ = try client.finishAuthentication(user, pin: PIN("4321"), accessNumber: console.number)
            }, Outcome(status: .incorrectPIN, left: 2))
        // The device has not fetched the session's details: the library does.
        let login = try client.finishAuthentication(
            user, pin: PIN(FlowFixture.pin), accessNumber: console.number)
        fixture.equal(
            "the device shows the approval code that the console waits for", login.code,
            try console.approvalCode())
        fixture.holds("the device can log the console out", client.canLogout(user))
        fixture.holds(
            "the device cannot log the console out before it has let the user in", !client.logout(user))
        fixture.equal("the console lets the user in", try console.verdict(), .granted)
        fixture.holds("the device logs the console out", client.logout(user))
        fixture.holds("the device logs the console out once", !client.canLogout(user) && !client.logout(user))
        fixture.equal(
            "a session that has ended cannot be approved",
            status {
                _ = try client.finishAuthentication(
                    user, pin: PIN(FlowFixture.pin), accessNumber: console.number)
            }, .incorrectAccessNumber)

        let scanned = try host.console(for: [user.mpinID])
        let details = try client.sessionDetails(accessCode: scanned.wid, for: user)
        let asked = details.request
        fixture.equal(
            "the user is shown details of the login",
            [asked?.host, asked?.service, asked?.account, asked?.source, asked?.page],
            [host.name, "sshd", "alice", "203.0.113.9", ""])
        fixture.equal(
            "the details are also available in one line", details.appName,
            "sshd for alice on \(host.name), from 203.0.113.9")
        fixture.equal("a console expects no user by name", details.prerollID, "")
        try client.startAuthentication(user, accessCode: scanned.wid)
        let second = try client.finishAuthentication(
            user, pin: PIN(FlowFixture.pin), accessNumber: scanned.wid)
        fixture.equal("the approval code is that of this session", second.code, try scanned.approvalCode())
        fixture.equal("the console lets the user in by the QR code", try scanned.verdict(), .granted)
    }
}

struct ConsoleRefusal: Flow {
    static let configuration = CommandConfiguration(
        abstract: "Refuse a console's login, with a PIN and without one.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client()
        let user = try fixture.registered(client)
        let other = try fixture.registered(client, "other-" + fixture.user)
        let host = try LoginHost(fixture)
        func waits(_ console: Console) throws -> Bool {
            try client.sessionDetails(accessCode: console.wid, for: user).request != nil
        }
        func approves(_ console: Console) -> Status {
            status {
                _ = try client.finishAuthentication(
                    user, pin: PIN(FlowFixture.pin), accessNumber: console.wid)
            }
        }
        try client.startAuthentication(user)
        let aborted = try host.console(for: [user.mpinID])
        try client.abortSession(accessCode: aborted.wid)
        fixture.holds("a device that does not name its user ends nothing", try waits(aborted))
        try client.abortSession(accessCode: aborted.wid, for: other)
        fixture.holds("a user whom the session does not list ends nothing", try waits(aborted))
        try client.abortSession(accessCode: aborted.wid, for: user)
        fixture.holds("a user whom the session lists ends it at once", try !waits(aborted))
        fixture.equal("the aborted session cannot be approved", approves(aborted), .incorrectAccessNumber)
        fixture.equal(
            "the console of the aborted session lets no user in", try aborted.verdict(), .notApproved)

        let denied = try host.console(for: [user.mpinID])
        fixture.equal(
            "a wrong PIN denies nothing",
            status { try client.deny(user, pin: PIN("4321"), accessCode: denied.wid) }, .incorrectPIN)
        fixture.holds("the session has not ended", try waits(denied))
        try client.deny(user, pin: PIN(FlowFixture.pin), accessCode: denied.wid)
        fixture.holds("the right PIN ends it at once", try !waits(denied))
        fixture.equal("the denied session cannot be approved", approves(denied), .incorrectAccessNumber)
        fixture.equal("the console of the denied session lets no user in", try denied.verdict(), .notApproved)

        let next = try host.console(for: [user.mpinID])
        fixture.equal("the next session is approved", approves(next), .ok)
        fixture.equal("the console of the next session lets the user in", try next.verdict(), .granted)
        let foreign = try host.console(for: [user.mpinID])
        try client.deny(user, pin: PIN(FlowFixture.pin), accessCode: foreign.wid, isForeign: true)
        let later = try host.console(for: [user.mpinID])
        fixture.holds(
            "after the denial of a foreign login the user is shown no more logins from its source",
            try !waits(later))
    }
}
