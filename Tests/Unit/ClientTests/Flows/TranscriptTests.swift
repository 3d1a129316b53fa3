// SPDX-License-Identifier: Apache-2.0
// The client against recorded answers of the Milagro server: each flow of milagro-0.3.md.
import Foundation
import MPinClient
import TestSupport
import Testing

@Suite(.slow) struct `Against the recorded Milagro server` {
    @Test func `T-01 and T-02 register and log in`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        let client = try fixture.client()
        let made = try client.makeUser("alice@example.org")
        let started = try client.startRegistration(made)
        #expect(started.state == .activated)
        try client.confirmRegistration(started)
        let user = try client.finishRegistration(started, pin: PIN(Fixture.pin))
        #expect(user.state == .registered)
        let result = try client.logIn(user)
        #expect(result.contains("someUserData"))
        #expect(
            fixture.server.received.map { "\($0.method) \($0.route.split(separator: "/").prefix(2))" } == [
                #"GET ["rps", "clientSettings"]"#, #"PUT ["rps", "user"]"#, #"GET ["rps", "signature"]"#,
                #"GET ["dta2", "clientSecret"]"#, #"GET ["rps", "timePermit"]"#, #"GET ["dta2", "tp"]"#,
                #"GET ["dta2", "timePermit"]"#, #"POST ["rps", "pass1"]"#, #"POST ["rps", "pass2"]"#,
                #"POST ["mpinAuthenticate"]"#,
            ])
    }

    /// Compares the requests of Milagro's core with ours, name by name.
    @Test func `T-01 and T-02 get the requests that Milagro's core sent`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        let client = try fixture.client()
        let made = try client.makeUser("alice@example.org", deviceName: "laptop1")
        let started = try client.startRegistration(made, userData: "someUserData")
        try client.confirmRegistration(started)
        _ = try client.logIn(client.finishRegistration(started, pin: PIN(Fixture.pin)))
        let recorded = try ["01-register-forceactivate", "02-auth-good"].flatMap(Transcript.clientView)
        var compared = 0
        for exchange in recorded where exchange.request.method != "GET" || exchange.request.path.contains("?")
        {
            let ours = try #require(fixture.received(exchange.route).first, "\(exchange.route)")
            #expect(ours.method == exchange.request.method)
            #expect(queryNames(ours.path) == queryNames(exchange.request.path))
            // `bound` asks mpind to bind its challenges; Milagro's server does not look at it.
            #expect(try names(ours.body).subtracting(["bound"]) == names(exchange.request.body))
            compared += 1
        }
        #expect(compared == 7)
        #expect(try fixture.bodies("/rps/user")[0]["mobile"] as? Int == 1)
        #expect(try fixture.bodies("/rps/user")[0]["userData"] as? String == "someUserData")
        #expect(try fixture.bodies("/rps/pass2")[0]["WID"] as? String == "0")
        let forwarded = try #require(
            try fixture.bodies("/mpinAuthenticate")[0]["mpinResponse"] as? [String: Any])
        #expect(Set(forwarded.keys) == ["authOTT", "pass", "version"])
    }

    @Test func `T-03 blocks at the third wrong PIN`() throws {
        let fixture = try Fixture("03-wrong-pin-blocked")
        let client = try fixture.client()
        let user = try client.register("bob@example.org")
        for state in [UserState.registered, .registered, .blocked] {
            try client.startAuthentication(user)
            #expect(throws: ClientFailure.self) { try client.finishAuthentication(user, pin: PIN("0000")) }
            #expect(try client.state(of: user) == state)
        }
        #expect(try status { _ = try client.logIn(user) } == .flowError)
        #expect(!String(decoding: try fixture.secure.read(), as: UTF8.self).contains("token"))
        try client.deleteUser(user)
        #expect(try client.allUsers().isEmpty)
    }

    @Test func `T-05 logs a browser in and out again`() throws {
        let fixture = try Fixture("05-access-number")
        try fixture.register()
        // T-05 has no second share: it was cached from T-02.
        try fixture.answerPermits("02-auth-good")
        let client = try fixture.client()
        let user = try client.onlyUser()
        try client.checkAccessNumber("3232212")
        try client.startAuthentication(user)
        #expect(!client.canLogout(user))
        let login = try client.finishAuthentication(
            user, pin: PIN(Fixture.pin), accessNumber: "3232212")
        #expect(login.code == nil)
        #expect(try fixture.bodies("/rps/pass2")[0]["WID"] as? String == "3232212")
        #expect(client.canLogout(user))
        #expect(client.logout(user))
        #expect(try fixture.bodies("/logout")[0]["userId"] as? String == "alice@example.org")
        #expect(!client.canLogout(user) && !client.logout(user))
    }

    @Test func `T-07 waits for a confirmation, and the server in memory forgets it`() throws {
        let fixture = try Fixture("07-register-verified")
        let client = try fixture.client()
        let user = try client.startRegistration(client.makeUser("dave@example.org"))
        #expect(user.state == .startedRegistration)
        #expect(try status { try client.confirmRegistration(user) } == .identityNotVerified)
        let again = try client.restartRegistration(user)
        #expect(again.state == .startedRegistration && again.mpinID == user.mpinID)
        #expect(try fixture.bodies("/rps/user")[1]["regOTT"] != nil)
        #expect(try status { try client.confirmRegistration(again) } == .identityNotVerified)
        #expect(try client.state(of: user) == .startedRegistration)
    }

    @Test(arguments: ["07b-register-verified-memory", "07c-register-verified-restart-redis"])
    func `T-07b and T-07c go on after the confirmation`(_ name: String) throws {
        let fixture = try Fixture(name)
        let client = try fixture.client()
        let identity = name.hasPrefix("07b") ? "dave2@example.org" : "dave3@example.org"
        var user = try client.startRegistration(client.makeUser(identity))
        #expect(try status { try client.confirmRegistration(user) } == .identityNotVerified)
        if name.hasPrefix("07c") { user = try client.restartRegistration(user) }
        try client.confirmRegistration(user)
        user = try client.finishRegistration(user, pin: PIN(Fixture.pin))
        #expect(user.state == .registered)
        guard name.hasPrefix("07c") else { return }
        // Two logins with the permit of one start.
        _ = try client.logIn(user)
        _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin))
        #expect(fixture.received("/rps/timePermit").count == 1)
    }

    @Test func `T-08 refuses, then fails`() throws {
        let fixture = try Fixture("08-register-refused")
        let client = try fixture.client()
        let user = try client.makeUser("erin@example.org")
        #expect(try status { _ = try client.startRegistration(user) } == .identityNotAuthorized)
        #expect(try status { _ = try client.startRegistration(user) } == .httpServerError)
        #expect(try client.allUsers().isEmpty)
        #expect(try client.state(of: user) == .invalid)
    }

    @Test(arguments: [
        (401, Status.incorrectPIN, UserState.registered), (403, .identityNotAuthorized, .registered),
        (406, .badUserAgent, .registered), (408, .requestExpired, .registered),
        (409, .clientSecretExpired, .registered), (410, .incorrectPIN, .blocked),
        (412, .incorrectAccessNumber, .registered), (500, .httpServerError, .registered),
    ])
    func `T-10 answers the redemption with each status`(
        _ http: Int, _ expected: Status, _ state: UserState
    ) throws {
        let fixture = try Fixture("10-rpa-status-\(http)")
        let client = try fixture.client()
        let user = try client.register("g\(http)@example.org")
        #expect(try status { _ = try client.logIn(user) } == expected)
        #expect(try client.state(of: user) == state)
    }
}

func queryNames(_ path: String) -> Set<String> {
    let query = path.split(separator: "?").dropFirst().first ?? ""
    return Set(query.split(separator: "&").map { String($0.prefix { $0 != "=" }) })
}

/// The keys of a JSON object; none for an empty text.
func names(_ body: String) throws -> Set<String> {
    guard !body.isEmpty else { return [] }
    let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    return Set(try #require(object).keys)
}

extension Fixture {
    /// Makes the second authority answer with the share of another transcript.
    func answerPermits(_ name: String) throws {
        let exchange = try #require(
            try Transcript.clientView(name).first { $0.route.hasPrefix("/dta2/timePermit") })
        instead.answer("/dta2/timePermit", 200, exchange.response.body)
    }
}
