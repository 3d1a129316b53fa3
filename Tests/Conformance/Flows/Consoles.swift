// SPDX-License-Identifier: Apache-2.0
// FinishAuthenticationAN and what goes with it at the console of a login host, which needs no profile.
import ArgumentParser
import MPin
import MPinClient

struct AtConsole: Flow {
    static let configuration = CommandConfiguration(
        commandName: "console", abstract: "Let a console in by its number and by its picture.")
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
            "a wrong PIN is wrong there, too",
            outcome {
                _ = try client.finishAuthentication(user, pin: PIN("4321"), accessNumber: console.number)
            }, Outcome(status: .incorrectPIN, left: 2))
        // Nobody asked for the session's details: the library does.
        let login = try client.finishAuthentication(
            user, pin: PIN(FlowFixture.pin), accessNumber: console.number)
        fixture.equal(
            "the device shows the approval code that the console waits for", login.code,
            try console.approvalCode())
        fixture.holds("the device can log the console out", client.canLogout(user))
        fixture.holds("but not before it has let the user in", !client.logout(user))
        fixture.equal("the console lets the user in", try console.verdict(), .granted)
        fixture.holds("now the device does", client.logout(user))
        fixture.holds("once", !client.canLogout(user) && !client.logout(user))
        fixture.equal(
            "a session that is over has nobody who waits",
            status {
                _ = try client.finishAuthentication(
                    user, pin: PIN(FlowFixture.pin), accessNumber: console.number)
            }, .incorrectAccessNumber)

        let scanned = try host.console(for: [user.mpinID])
        let details = try client.sessionDetails(accessCode: scanned.wid, for: user)
        let asked = details.request
        fixture.equal(
            "the user is shown who asks",
            [asked?.host, asked?.service, asked?.account, asked?.source, asked?.page],
            [host.name, "sshd", "alice", "203.0.113.9", ""])
        fixture.equal(
            "in one line, too", details.appName, "sshd for alice on \(host.name), from 203.0.113.9")
        fixture.equal("a console expects nobody by a name", details.prerollID, "")
        try client.startAuthentication(user, accessCode: scanned.wid)
        let second = try client.finishAuthentication(
            user, pin: PIN(FlowFixture.pin), accessNumber: scanned.wid)
        fixture.equal("the approval code is that of this session", second.code, try scanned.approvalCode())
        fixture.equal("and the console lets the user in", try scanned.verdict(), .granted)
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
        fixture.holds("who says not who it is ends nothing", try waits(aborted))
        try client.abortSession(accessCode: aborted.wid, for: other)
        fixture.holds("nor does somebody whom it does not ask for", try waits(aborted))
        try client.abortSession(accessCode: aborted.wid, for: user)
        fixture.holds("whom it asks for ends it at once", try !waits(aborted))
        fixture.equal("nobody approves it any more", approves(aborted), .incorrectAccessNumber)
        fixture.equal("and the console lets nobody in", try aborted.verdict(), .notApproved)

        let denied = try host.console(for: [user.mpinID])
        fixture.equal(
            "a wrong PIN denies nothing",
            status { try client.deny(user, pin: PIN("4321"), accessCode: denied.wid) }, .incorrectPIN)
        fixture.holds("the session lives", try waits(denied))
        try client.deny(user, pin: PIN(FlowFixture.pin), accessCode: denied.wid)
        fixture.holds("the right PIN ends it at once", try !waits(denied))
        fixture.equal("nobody approves it any more", approves(denied), .incorrectAccessNumber)
        fixture.equal("and the console lets nobody in", try denied.verdict(), .notApproved)

        let next = try host.console(for: [user.mpinID])
        fixture.equal("the next one is approved", approves(next), .ok)
        fixture.equal("and lets the user in", try next.verdict(), .granted)
        let foreign = try host.console(for: [user.mpinID])
        try client.deny(user, pin: PIN(FlowFixture.pin), accessCode: foreign.wid, isForeign: true)
        let later = try host.console(for: [user.mpinID])
        fixture.holds(
            "after a login that was not theirs the user is shown none from there", try !waits(later))
    }
}
