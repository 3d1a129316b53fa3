// SPDX-License-Identifier: Apache-2.0
// A user of Milagro's core who has moved to mpind with the core's files: mpind binds none of their proofs.
import ArgumentParser
import MPinClient
import MPinWire

struct Moved: Flow {
    static let configuration = CommandConfiguration(
        abstract: "Approve a browser's login with the core's files, and refuse one.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let before = try fixture.client { OfMilagro(http: $0, authorities: place.authorities) }
        _ = try fixture.registered(before)
        // The app with this library finds the files.
        let client = try fixture.client()
        let user = try client.users()[0]
        for isLookedUp in [true, false] {
            let browser = try Browser(place, by: Route.getQrUrl)
            if isLookedUp {
                let details = try client.sessionDetails(accessCode: browser.wid, for: user)
                fixture.equal("the user is shown the login", details.request?.service, "browser")
            }
            let page = Page(Route.authenticate, browser.opened, place)
            try client.startAuthentication(user, accessCode: browser.wid)
            fixture.equal(
                "the device approves the login that it \(isLookedUp ? "has" : "has not") looked up",
                status {
                    _ = try client.finishAuthentication(
                        user, pin: PIN(FlowFixture.pin), accessNumber: browser.wid)
                }, .ok)
            fixture.equal("the browser is logged in", page.status(), 200)
        }
        for isLookedUp in [true, false] {
            let browser = try Browser(place, by: Route.getQrUrl)
            if isLookedUp { _ = try client.sessionDetails(accessCode: browser.wid, for: user) }
            try client.startAuthentication(user, accessCode: browser.wid)
            fixture.equal(
                "no proof refuses the login",
                failure { try client.deny(user, pin: PIN(FlowFixture.pin), accessCode: browser.wid) },
                .noRefusal)
            fixture.holds("the browser still waits", ["wid", "user"].contains(try browser.poll().status))
            try client.abortSession(accessCode: browser.wid, for: user)
            fixture.equal("without a proof the session ends", try browser.poll().status, "expired")
        }
    }
}
