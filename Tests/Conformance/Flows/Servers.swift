// SPDX-License-Identifier: Apache-2.0
// A server with its own name, logo and prefix, and one whose authority is unreachable.
import ArgumentParser
import Glibc
import MPinClient
import MPinWire

struct Presentation: Flow {
    static let configuration = CommandConfiguration(
        abstract: "A server that describes itself, as test_flows.py sets it up.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.client(withBackend: false)
        let service = try client.serviceDetails(place.backend + "/#0123")
        fixture.equal("the server has a name", service.name, "The example")
        fixture.equal("the server has a logo", service.logoURL, "https://static.example.org/logo.png")
        fixture.equal("the server has a prefix", service.rpsPrefix, "login")
        fixture.equal(
            "the prefix passes the test",
            status { try client.testBackend(service.backend, rpsPrefix: service.rpsPrefix) }, .ok)
        fixture.equal(
            "another prefix is a request error",
            status { try client.testBackend(service.backend, rpsPrefix: "other") }, .httpRequestError)
        fixture.equal(
            "another prefix cannot be set",
            status { try client.setBackend(service.backend, rpsPrefix: "other") }, .httpRequestError)
        fixture.equal("after that no backend is set", client.clientParameter("registerURL"), nil)
        fixture.equal(
            "the default prefix always passes the test", status { try client.testBackend(service.backend) },
            .ok)
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
            "the digits of an access number are as set", client.clientParameter("accessNumberDigits"),
            place.compat ? "6" : "7")
        fixture.equal(
            "an access number of seven digits has a checksum",
            client.clientParameter("accessNumberUseCheckSum"), place.compat ? "false" : "true")
        fixture.equal("a one-time password is asked for", client.clientParameter("requestOTP"), "true")

        let user = try fixture.registered(client)
        let console = try LoginHost(fixture).console(for: [user.mpinID])
        let details = try client.sessionDetails(accessCode: console.wid, for: user)
        fixture.equal("the session's details have an icon", details.appIconURL, "/icon.png")
        try client.startAuthentication(user, accessCode: console.wid)
        let login = try client.finishAuthentication(
            user, pin: PIN(FlowFixture.pin), accessNumber: console.wid)
        fixture.equal("the login returns its approval code", login.code, try console.approvalCode())
        guard place.compat else { return }
        let browser = try Browser(place, by: Route.getAccessNumber)
        let number = browser.opened.accessNumber ?? ""
        fixture.equal("a browser's number has six digits", number.utf8.count, 6)
        fixture.equal(
            "a number without checksum is accepted", status { try client.checkAccessNumber(number) }, .ok)
        _ = try client.finishAuthentication(user, pin: PIN(FlowFixture.pin), accessNumber: number)
        fixture.equal("the number logs the browser in", try browser.logIn(), 200)
    }
}

struct Away: Flow {
    static let configuration = CommandConfiguration(
        abstract: "A server whose authority is unreachable for a while.")
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
        fixture.equal("the authority's socket is restored", back, 0)
        fixture.equal(
            "while the authority is unreachable there is no secret", failed?.status, .httpServerError)
        fixture.equal("the HTTP status is 503", failed?.httpStatus, 503)
        fixture.equal("the registration is still activated", try client.state(of: begun), .activated)
        fixture.equal(
            "the registration continues afterwards", status { try client.confirmRegistration(begun) }, .ok)
        let next = try client.finishRegistration(begun, pin: PIN(FlowFixture.pin))
        fixture.holds("both users log in", try !client.logIn(next).isEmpty && !client.logIn(user).isEmpty)
    }
}
