// SPDX-License-Identifier: Apache-2.0
// A server with a name, pictures and a prefix of its own, and one whose authority is away.
import ArgumentParser
import Glibc
import MPinClient
import MPinWire

struct Presentation: Flow {
    static let configuration = CommandConfiguration(
        abstract: "A server that says who it is, as test_flows.py sets it up.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client(withBackend: false)
        let service = try client.serviceDetails(place.backend + "/#0123")
        fixture.equal("the server has a name", service.name, "The example")
        fixture.equal("a logo", service.logoURL, "https://static.example.org/logo.png")
        fixture.equal("and a prefix", service.rpsPrefix, "login")
        fixture.equal(
            "which is good",
            status { try client.testBackend(service.backend, rpsPrefix: service.rpsPrefix) }, .ok)
        fixture.equal(
            "another is none",
            status { try client.testBackend(service.backend, rpsPrefix: "other") }, .httpRequestError)
        fixture.equal(
            "and cannot be set",
            status { try client.setBackend(service.backend, rpsPrefix: "other") }, .httpRequestError)
        fixture.equal("no backend is set then", client.clientParameter("registerURL"), nil)
        fixture.equal(
            "the default one is always good", status { try client.testBackend(service.backend) }, .ok)
        try client.setBackend(service.backend, rpsPrefix: service.rpsPrefix)
        for (key, path) in [
            ("registerURL", "user"), ("signatureURL", "signature"), ("timePermitsURL", "timePermit"),
            ("codeStatusURL", "codeStatus"), ("mobileAuthenticateURL", "authenticate"),
        ] {
            fixture.equal(
                "\(key) has the prefix", client.clientParameter(key), "\(place.backend)/login/\(path)")
        }
        fixture.equal("a device name is asked for", client.clientParameter("setDeviceName"), "true")
        fixture.equal(
            "digits of a number", client.clientParameter("accessNumberDigits"), place.compat ? "6" : "7")
        fixture.equal(
            "of which one checks the others where they are seven",
            client.clientParameter("accessNumberUseCheckSum"), place.compat ? "false" : "true")
        fixture.equal("a one-time password is asked for", client.clientParameter("requestOTP"), "true")

        let user = try fixture.registered(client)
        let console = try LoginHost(fixture).console(for: [user.mpinID])
        let details = try client.sessionDetails(accessCode: console.wid, for: user)
        fixture.equal("a session has an icon", details.appIconURL, "/icon.png")
        try client.startAuthentication(user, accessCode: console.wid)
        let login = try client.finishAuthentication(
            user, pin: PIN(FlowFixture.pin), accessNumber: console.wid)
        fixture.equal("and brings its approval code", login.code, try console.approvalCode())
        guard place.compat else { return }
        let browser = try Browser(place, by: Route.getAccessNumber)
        let number = browser.opened.accessNumber ?? ""
        fixture.equal("a browser's number has six digits", number.utf8.count, 6)
        fixture.equal("which nothing checks", status { try client.checkAccessNumber(number) }, .ok)
        _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: number)
        fixture.equal("it logs the browser in", try browser.logIn(), 200)
    }
}

struct Away: Flow {
    static let configuration = CommandConfiguration(abstract: "A server whose authority is away for a while.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        guard let authority = place.authority else { throw Missing(what: "--authority") }
        let client = try fixture.client()
        let user = try fixture.registered(client)
        let begun = try client.startRegistration(
            client.makeUser("new-" + fixture.user), activateCode: fixture.code("new-" + fixture.user))
        guard unsafe rename(authority, authority + ".away") == 0 else {
            throw Missing(what: "the authority's socket")
        }
        let failed = failure { try client.confirmRegistration(begun) }
        let back = unsafe rename(authority + ".away", authority)
        fixture.equal("the authority comes back", back, 0)
        fixture.equal("while it is away there is no secret", failed?.status, .httpServerError)
        fixture.equal("the status says so", failed?.httpStatus, 503)
        fixture.equal("the registration waits", try client.state(of: begun), .activated)
        fixture.equal("and goes on afterwards", status { try client.confirmRegistration(begun) }, .ok)
        let next = try client.finishRegistration(begun, pin: PIN(FlowFixture.pin))
        fixture.holds("to its end", try !client.logIn(next).isEmpty && !client.logIn(user).isEmpty)
    }
}
