// SPDX-License-Identifier: Apache-2.0
// Each flow with the program restarted between any two steps: another client over the same files goes on.
import Foundation
import MPinClient
import TestSupport
import Testing

/// One client after the other, each over the same files.
private struct Runs {
    let fixture: Fixture

    func then<R>(_ step: (Client, User) throws -> R) throws -> R {
        let client = try fixture.client()
        return try step(client, client.onlyUser())
    }
}

@Suite(.slow) struct `A program that ends between two steps` {
    @Test func `still registers, up to the confirmation`() throws {
        let fixture = try Fixture("07c-register-verified-restart-redis")
        let runs = Runs(fixture: fixture)
        let first = try fixture.client()
        _ = try first.startRegistration(first.makeUser("dave3@example.org"))
        #expect(
            try runs.then { client, user in try status { try client.confirmRegistration(user) } }
                == .identityNotVerified)
        _ = try runs.then { client, user in try client.restartRegistration(user) }
        try runs.then { client, user in
            try client.confirmRegistration(user)
            _ = try client.finishRegistration(user, pin: PIN(Fixture.pin))
        }
        #expect(try runs.then { $1.state } == .registered)
        #expect(try runs.then { try $0.logIn($1) }.contains("someUserData"))
    }

    @Test func `loses the client secret if it ends before the PIN is set`() throws {
        let fixture = try Fixture("01-register-forceactivate")
        let runs = Runs(fixture: fixture)
        let first = try fixture.client()
        _ = try first.startRegistration(first.makeUser("alice@example.org"))
        try runs.then { try $0.confirmRegistration($1) }
        // The client secret is in no file, and is issued only once.
        let share = try #require(
            try Transcript.clientView("01-register-forceactivate").first {
                $0.route.hasPrefix("/rps/signature")
            })
        let digits = try #require(share.response.body.firstMatch(of: #/04[0-9a-f]{128}/#)).output
        #expect(!(try fixture.texts().joined().contains(digits)))
        #expect(
            try runs.then { client, user in
                try status { _ = try client.finishRegistration(user, pin: PIN(Fixture.pin)) }
            } == .flowError)
        fixture.instead.answer("/rps/signature", 400)
        #expect(
            try runs.then { client, user in try status { try client.confirmRegistration(user) } }
                == .identityNotVerified)
        fixture.instead.clear()
        try runs.then { try $0.deleteUser($1) }
        #expect(try fixture.client().register("alice@example.org").state == .registered)
    }

    @Test(arguments: ["end", "otp", "code", "number"])
    func `starts a login again, with the permit of the day`(_ way: String) throws {
        let fixture = try Fixture.registered()
        fixture.instead.answer("/mpinAuthenticate", 200, #"{"code": "c0de"}"#)
        let runs = Runs(fixture: fixture)
        try runs.then { try $0.startAuthentication($1) }
        let end: (Client, User) throws -> Void = { client, user in
            switch way {
            case "end": _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin))
            case "otp": _ = try client.finishAuthenticationOTP(user, pin: PIN(Fixture.pin))
            case "code": _ = try client.finishAuthenticationCode(user, pin: PIN(Fixture.pin))
            default:
                _ = try client.finishAuthentication(
                    user, pin: PIN(Fixture.pin), accessNumber: "3232212")
            }
        }
        #expect(try runs.then { client, user in try status { try end(client, user) } } == .flowError)
        try runs.then { client, user in
            try client.startAuthentication(user)
            try end(client, user)
        }
        // The second share was requested once.
        #expect(fixture.received("/dta2/timePermit").count == 1)
        #expect(fixture.received("/rps/timePermit").count == 2)
        #expect(try runs.then { !$0.canLogout($1) && !$0.logout($1) })
    }

    @Test func `finds the old user or the new one, whichever file was written last`() throws {
        let fixture = try Fixture("01-register-forceactivate")
        let first = try fixture.client()
        let user = try first.startRegistration(first.makeUser("alice@example.org"))
        try first.confirmRegistration(user)
        let plain = try fixture.plain.read()
        _ = try first.finishRegistration(user, pin: PIN(Fixture.pin))
        // Killed after the token was stored and before the state was.
        try fixture.plain.write(plain)
        #expect(try fixture.client().onlyUser().state == .registered)
        // Killed while a user was being added: a secret without a user.
        try fixture.plain.write([])
        #expect(try fixture.client().allUsers().isEmpty)
    }
}
