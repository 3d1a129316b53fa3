// SPDX-License-Identifier: Apache-2.0
// A server with an external RPA, which verifies registrations, redeems logins, and ends sessions.
import ArgumentParser
import Dispatch
import MPinClient
import MPinCurl
import MPinWire

/// Changes of the application's behaviour (Tests/Conformance/Interop/servers/relying.py).
private struct Wish: Encodable {
    var activate: String?
    var deny: String?
    var refuse: Int?
    var junk: Bool?
    /// Sessions are ended at the application's own address.
    var endsHere: Bool?
}

/// What the application has received, and the device's headers.
private struct Told: Decodable {
    struct Registration: Decodable {
        let deviceName, userData: String
        let header: String?
        let resend: Bool
    }
    let registrations: [String: Registration]
    /// The device's header in each login.
    let logins: [String?]
    let ended: [Bye]
    struct Bye: Decodable, Equatable { let sessionToken: String }
}

extension FlowServer {
    fileprivate func application() throws -> String {
        guard let party else { throw Missing(what: "--party") }
        return party
    }
}

extension FlowFixture {
    /// A client that trusts the application's address too.
    fileprivate func clientOfParty(headers: [String: String] = [:]) throws -> Client {
        try client(trusting: [place.backend, place.application()], headers: headers)
    }

    @discardableResult
    fileprivate func tell(_ wish: Wish) throws -> Told {
        let line = try Line(place)
        return try line.read(Told.self, line.post(place.application() + "/control", wish))
    }

    /// A user whom the application activates at once because of the name's beginning.
    fileprivate func forced(_ client: Client) throws -> User {
        let begun = try client.startRegistration(client.makeUser("forced-" + user), userData: "a badge")
        try client.confirmRegistration(begun)
        return try client.finishRegistration(begun, pin: PIN(FlowFixture.pin))
    }
}

struct Party: Flow {
    static let configuration = CommandConfiguration(
        commandName: "party", abstract: "Register and log in at an external RPA.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.clientOfParty()
        let forced = try client.startRegistration(
            client.makeUser("forced-" + fixture.user), userData: "a badge")
        fixture.equal("a user whom the application knows is activated at once", forced.state, .activated)
        fixture.equal(
            "a user whom the application refuses is refused",
            status { _ = try client.startRegistration(client.makeUser("refused-" + fixture.user)) },
            .identityNotAuthorized)
        fixture.equal(
            "an application that fails is a server's failure",
            status { _ = try client.startRegistration(client.makeUser("broken-" + fixture.user)) },
            .httpServerError)
        let later = try client.startRegistration(client.makeUser("later-" + fixture.user))
        fixture.equal("a user whom the application knows only later waits", later.state, .startedRegistration)
        let known = try client.restartRegistration(later)
        fixture.equal("the user is activated when the registration is repeated", known.state, .activated)
        fixture.equal("the repeated registration has the same identity", known.mpinID, later.mpinID)
        let begun = try client.startRegistration(client.makeUser(fixture.user, deviceName: "phone"))
        fixture.equal("a user whom the application does not know waits", begun.state, .startedRegistration)
        fixture.equal(
            "the user is not verified yet", status { try client.confirmRegistration(begun) },
            .identityNotVerified)
        let again = try client.restartRegistration(begun)
        fixture.equal("the repeated request is for the same registration", again.mpinID, begun.mpinID)
        try fixture.tell(Wish(activate: fixture.user))
        try client.confirmRegistration(again)
        let user = try client.finishRegistration(again, pin: PIN(FlowFixture.pin))
        fixture.holds(
            "the application's answer names the user", try client.logIn(user).contains(fixture.user))
        try fixture.tell(Wish(deny: fixture.user))
        fixture.equal(
            "a user who is denied a permit is reported as revoked", status { _ = try client.logIn(user) },
            .revoked)

        try client.confirmRegistration(forced)
        let other = try client.finishRegistration(forced, pin: PIN(FlowFixture.pin))
        try client.startAuthentication(other)
        for state in [UserState.registered, .registered, .blocked] {
            fixture.equal(
                "a wrong PIN is reported",
                status { _ = try client.finishAuthentication(other, pin: PIN("4321")) }, .incorrectPIN)
            fixture.equal("afterwards the user is \(state)", try client.state(of: other), state)
        }
    }
}

struct PartyBrowser: Flow {
    static let configuration = CommandConfiguration(
        abstract: "Log a browser in at an external RPA, and out again.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.clientOfParty()
        let user = try fixture.forced(client)
        for refused in [Int?.none, 403] {
            try fixture.tell(Wish(refuse: refused ?? 200, endsHere: true))
            let browser = try Browser(place, by: Route.getAccessNumber)
            let page = Page(try place.application() + "/mpinAuthenticate", browser.opened, place)
            try client.startAuthentication(user)
            let came = status {
                _ = try client.finishAuthentication(
                    user, pin: PIN(FlowFixture.pin), accessNumber: browser.opened.accessNumber ?? "")
            }
            fixture.equal("the browser gets the application's status", page.status(), refused ?? 200)
            fixture.equal(
                "the device gets the application's decision", came,
                refused == nil ? .ok : .identityNotAuthorized)
            guard refused == nil else { break }
            fixture.holds("the device can log the browser out", client.canLogout(user))
            let before = try fixture.tell(Wish(endsHere: true)).ended.count
            fixture.holds("the device logs out at the application's address", client.logout(user))
            let ended = try fixture.tell(Wish()).ended.dropFirst(before)
            fixture.equal(
                "the application gets its own logout data back", Array(ended),
                [Told.Bye(sessionToken: "of the application")])
        }
        try fixture.tell(Wish(refuse: 200))
    }
}

struct PartyData: Flow {
    static let configuration = CommandConfiguration(
        abstract: "What an external RPA is told about a device.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.clientOfParty(headers: ["X-Of-App": "flows " + fixture.user])
        let name = "later-" + fixture.user
        let begun = try client.startRegistration(
            client.makeUser(name, deviceName: "the phone"), userData: "employee 7")
        let first = try fixture.tell(Wish()).registrations[name]
        fixture.equal("the application gets the device's name", first?.deviceName, "the phone")
        fixture.equal("the application gets the user's data", first?.userData, "employee 7")
        fixture.equal("the application gets the app's header", first?.header, "flows " + fixture.user)
        fixture.equal("the registration is new", first?.resend, false)
        let again = try client.restartRegistration(begun, userData: "employee 8")
        let second = try fixture.tell(Wish()).registrations[name]
        fixture.equal("the repeated registration has the same name", second?.deviceName, "the phone")
        fixture.equal("the repeated registration has the new data", second?.userData, "employee 8")
        fixture.equal("the repeated registration is marked as such", second?.resend, true)
        try client.confirmRegistration(again)
        let user = try client.finishRegistration(again, pin: PIN(FlowFixture.pin))
        _ = try client.logIn(user)
        fixture.equal(
            "a login has the app's header, too", try fixture.tell(Wish()).logins.last,
            "flows " + fixture.user)
    }
}

/// A browser that polls and redeems in another thread while the device waits.
final class Page: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let result = Result()

    private final class Result: @unchecked Sendable { var status = 0 }

    init(_ url: String, _ opened: SessionResponse, _ place: FlowServer) {
        let (backend, authorities) = (place.backend, place.authorities)
        DispatchQueue.global().async { [result, done] in
            let line = try? Line(backend, authorities: authorities)
            let came = try? line.map { try Browser(opened, $0).logIn(at: url) }
            result.status = came ?? 0
            done.signal()
        }
    }

    func status() -> Int {
        done.wait()
        return result.status
    }
}

struct PartyStatuses: Flow {
    static let configuration = CommandConfiguration(
        abstract: "The application's answers to a login, and the library's statuses for them.")
    @OptionGroup var place: FlowServer

    func play(_ fixture: FlowFixture) throws {
        let client = try fixture.clientOfParty()
        let user = try fixture.forced(client)
        let said: [(Int, Status)] = [
            (400, .httpRequestError), (403, .identityNotAuthorized), (406, .badUserAgent),
            (408, .requestExpired), (409, .clientSecretExpired), (412, .incorrectAccessNumber),
            (500, .httpServerError), (503, .httpServerError),
        ]
        for (http, wanted) in said {
            try fixture.tell(Wish(refuse: http))
            fixture.equal("\(http) is \(wanted)", status { _ = try client.logIn(user) }, wanted)
        }
        try fixture.tell(Wish(refuse: 200, junk: true))
        fixture.equal(
            "200 without JSON is a parse error", status { _ = try client.logIn(user) }, .responseParseError)
        try fixture.tell(Wish(junk: false))
        fixture.holds("the user is not locked", try client.logIn(user).contains("forced-"))
    }
}
