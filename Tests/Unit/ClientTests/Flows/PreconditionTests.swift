// SPDX-License-Identifier: Apache-2.0
// The preconditions of each call, checked before anything is sent: every row of the table of Milagro's core.
import Foundation
import MPinClient
import TestSupport
import Testing

/// A call of the client that needs a user.
enum UserCall: CaseIterable {
    case start, restart, confirm, finish, begin, end, endOTP, endNumber, endCode

    func ask(_ client: Client, _ user: User) throws {
        switch self {
        case .start: _ = try client.startRegistration(user)
        case .restart: _ = try client.restartRegistration(user)
        case .confirm: try client.confirmRegistration(user)
        case .finish: _ = try client.finishRegistration(user, pin: PIN(Fixture.pin))
        case .begin: try client.startAuthentication(user)
        case .end: _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin))
        case .endOTP: _ = try client.finishAuthenticationOTP(user, pin: PIN(Fixture.pin))
        case .endNumber:
            _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin), accessNumber: "3232212")
        case .endCode: _ = try client.finishAuthenticationCode(user, pin: PIN(Fixture.pin))
        }
    }

    /// The states in which the call is allowed.
    var states: Set<UserState> {
        switch self {
        case .start: [.invalid]
        case .restart: [.startedRegistration]
        case .confirm, .finish: [.startedRegistration, .activated]
        case .begin, .end, .endOTP, .endNumber, .endCode: [.registered]
        }
    }
}

@Suite(.slow) struct `Before anything is sent` {
    @Test(arguments: UserCall.allCases) func `a call for a user needs a backend`(_ call: UserCall) throws {
        let fixture = try Fixture("01-register-forceactivate")
        try fixture.register()
        let client = try fixture.client(withBackend: false)
        let user = try #require(try client.allUsers().first)
        #expect(try status { try call.ask(client, user) } == .flowError)
        #expect(try status { _ = try client.users() } == .flowError)
        #expect(try status { _ = try client.makeUser("new@example.org") } == .flowError)
        #expect(try client.users(of: fixture.server.backend) == [user])
        #expect(try client.backends() == [fixture.backendKey])
        #expect(fixture.server.received.isEmpty)
    }

    @Test(arguments: UserCall.allCases) func `a call needs one of its states`(_ call: UserCall) throws {
        for state in UserState.allCases where !call.states.contains(state) {
            let fixture = try Fixture("01-register-forceactivate")
            try fixture.register()
            try fixture.rewrite(state)
            let client = try fixture.client()
            let user =
                state == .invalid ? try client.makeUser("new@example.org") : try client.onlyUser()
            #expect(try status { try call.ask(client, user) } == .flowError, "\(state)")
            #expect(fixture.server.received.count == 1)
        }
    }

    @Test(arguments: UserCall.allCases)
    func `a call needs a user of the list and of this backend`(_ call: UserCall) throws {
        let fixture = try Fixture("01-register-forceactivate")
        let other = try Fixture("01-register-forceactivate")
        for state in call.states where state != .invalid {
            try fixture.register()
            try fixture.rewrite(state)
            let client = try fixture.client()
            let user = try client.onlyUser()
            try client.setBackend(other.server.backend)
            #expect(try status { try call.ask(client, user) } == .flowError, "other backend")
            try client.setBackend(fixture.server.backend)
            // Another value with the same name is another user.
            let double = try client.makeUser(user.identity)
            #expect(try status { try call.ask(client, double) } == .flowError, "same name")
            try client.deleteUser(user)
            #expect(try status { try call.ask(client, user) } == .flowError, "deleted")
        }
        #expect(other.server.received.allSatisfy { $0.route == "/rps/clientSettings" })
    }

    @Test func `a known name cannot be registered again, before or after a restart`() throws {
        let fixture = try Fixture("01-register-forceactivate")
        let client = try fixture.client()
        let double = try client.makeUser("alice@example.org")
        _ = try client.startRegistration(client.makeUser("alice@example.org"))
        #expect(try status { _ = try client.startRegistration(double) } == .flowError)
        #expect(try status { _ = try fixture.client().startRegistration(double) } == .flowError)
        #expect(fixture.received("/rps/user").count == 1)
    }

    @Test func `a finishing call needs its starting call`() throws {
        let fixture = try Fixture.recorded()
        let client = try fixture.client()
        let user = try client.startRegistration(client.makeUser("alice@example.org"))
        #expect(try status { try UserCall.finish.ask(client, user) } == .flowError)
        try client.confirmRegistration(user)
        let registered = try client.finishRegistration(user, pin: PIN(Fixture.pin))
        for call in [UserCall.end, .endOTP, .endNumber, .endCode] {
            #expect(try status { try call.ask(client, registered) } == .flowError)
        }
        #expect(fixture.received("/rps/pass1").isEmpty)
    }

    @Test func `a finishing call needs no starting call if there are no permits`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        try fixture.register()
        try fixture.answerSettings {
            $0.replacing("{\"requestOTP\"", with: "{\"usePermits\": false, \"requestOTP\"")
        }
        let client = try fixture.client()
        _ = try client.finishAuthentication(client.onlyUser(), pin: PIN(Fixture.pin))
        #expect(try fixture.bodies("/rps/pass1")[0]["UT"] as? String == "")
        #expect(fixture.received("/rps/timePermit").isEmpty)
    }

    @Test func `a PIN must not be empty`() throws {
        let fixture = try Fixture.recorded()
        let client = try fixture.client()
        let user = try client.startRegistration(client.makeUser("alice@example.org"))
        try client.confirmRegistration(user)
        #expect(try status { _ = try client.finishRegistration(user, pin: PIN("")) } == .pinInputCancelled)
        let registered = try client.finishRegistration(user, pin: PIN(Fixture.pin))
        try client.startAuthentication(registered)
        let ends: [(inout Client) throws -> Void] = [
            { _ = try $0.finishAuthentication(registered, pin: PIN("")) },
            { _ = try $0.finishAuthenticationOTP(registered, pin: PIN("")) },
            { _ = try $0.finishAuthenticationCode(registered, pin: PIN("")) },
            { _ = try $0.finishAuthentication(registered, pin: PIN(""), accessNumber: "3232212") },
        ]
        var asked = client
        for end in ends { #expect(try status { try end(&asked) } == .pinInputCancelled) }
        #expect(fixture.received("/rps/pass1").isEmpty)
    }

    @Test func `the octets of a PIN are taken over and wiped`() throws {
        var octets = Array("1234".utf8)
        let pin = try PIN(wiping: &octets)
        #expect(octets == [0, 0, 0, 0] && !pin.isEmpty)
    }

    @Test(arguments: ["", "323221", "32322122", "3232213", "323221a", "32322 2", "٣٢٣٢٢١٢"])
    func `an access number needs its check digit`(_ number: String) throws {
        let fixture = try Fixture("05-access-number")
        try fixture.register()
        let without = try fixture.client(withBackend: false)
        #expect(try status { try without.checkAccessNumber(number) } == .incorrectAccessNumber)
        #expect(try status { try without.checkAccessNumber("3232212") } == .ok)
        let client = try fixture.client()
        #expect(try status { try client.checkAccessNumber(number) } == .incorrectAccessNumber)
        let given = try status {
            _ = try client.finishAuthentication(
                client.onlyUser(), pin: PIN(Fixture.pin), accessNumber: number)
        }
        #expect(given == .incorrectAccessNumber)
    }

    @Test(arguments: [
        #""accessNumberUseCheckSum": false"#, #""accessNumberDigits": 6"#, #""cSum": 0"#,
    ])
    func `a server may check its numbers itself`(_ setting: String) throws {
        let fixture = try Fixture("05-access-number")
        let name = setting.prefix { $0 != ":" }
        try fixture.answerSettings {
            $0.replacing(try! Regex("\(name): [^,}]*"), with: setting)
        }
        let client = try fixture.client()
        #expect(try status { try client.checkAccessNumber("3232213") } == .ok)
        #expect(try status { try client.checkAccessNumber("") } == .incorrectAccessNumber)
    }

    @Test func `a token must be a point`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        try fixture.register()
        let text = String(decoding: try fixture.secure.read(), as: UTF8.self)
        let token = try Recorded("01-register-forceactivate").token()
        for bad in ["", "04", "zz", String(repeating: "07", count: 65)] {
            try fixture.secure.write(Array(text.replacing(token, with: bad).utf8))
            let client = try fixture.client()
            #expect(try status { _ = try client.logIn(client.onlyUser()) } == .cryptoError, "\(bad)")
        }
        #expect(fixture.received("/rps/pass1").isEmpty)
    }

    @Test func `a share and a permit must be points`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        let point = String(repeating: "07", count: 65)
        let client = try fixture.client()
        fixture.instead.answer("/dta2/clientSecret", 200, #"{"clientSecret":"\#(point)"}"#)
        let user = try client.startRegistration(client.makeUser("alice@example.org"))
        try client.confirmRegistration(user)
        #expect(try status { try UserCall.finish.ask(client, user) } == .cryptoError)
        #expect(try client.state(of: user) == .activated)
        fixture.instead.clear()
        try fixture.register()
        fixture.instead.answer("/dta2/timePermit", 200, #"{"timePermit":"\#(point)"}"#)
        #expect(try status { try client.startAuthentication(client.onlyUser()) } == .cryptoError)
    }

    @Test func `a challenge with a wrong n is refused`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        try fixture.register()
        let client = try fixture.client()
        let y = String(repeating: "07", count: 32)
        let cases = [("", Status.responseParseError), ("00", .responseParseError), (y, .cryptoError)]
        for (n, expected) in cases {
            fixture.instead.answer("/rps/pass1", 200, #"{"y":"\#(y)","n":"\#(n)","pass":1}"#)
            #expect(try status { _ = try client.logIn(client.onlyUser()) } == expected, "\(n)")
        }
        #expect(fixture.received("/rps/pass2").isEmpty)
    }

    @Test func `an unreachable server is a network error`() throws {
        let fixture = try Fixture("01-register-forceactivate")
        let port = try ClosedPort()
        let client = try fixture.client()
        #expect(
            try status { try client.testBackend("http://127.0.0.1:\(port.number)") } == .networkError)
        #expect(try status { try client.testBackend("http://example.org") } == .networkError)
        #expect(try status { try client.testBackend("nonsense") } == .flowError)
        fixture.instead.answer("/rps/user") { _ in .raw("") }
        #expect(
            try status { _ = try client.startRegistration(client.makeUser("a@x")) } == .networkError)
    }
}

extension Fixture {
    /// Rewrites the files of a registered user as those of one in another state.
    func rewrite(_ state: UserState) throws {
        let name: String
        switch state {
        case .invalid, .registered: return
        case .startedRegistration: name = "STARTED_REGISTRATION"
        case .activated: name = "ACTIVATED"
        case .blocked: name = "BLOCKED"
        }
        let text = String(decoding: try plain.read(), as: UTF8.self)
        try plain.write(Array(text.replacing("REGISTERED", with: name).utf8))
        let id = try Recorded("01-register-forceactivate").mpinID
        let secret = state == .blocked ? "{}" : #"{"\#(id)": {"regOTT": "0123456789abcdef"}}"#
        try secure.write(Array(secret.utf8))
    }

    /// Answers with the recorded settings, changed.
    func answerSettings(_ change: (String) throws -> String) throws {
        let settings = try Transcript.clientView("02-auth-good").first { $0.route == "/rps/clientSettings" }
        let body = try #require(settings?.response.body)
            .replacing(#/"certivoxURL": "[^"]*"/#, with: #""certivoxURL": "/dta2/""#)
        instead.answer("/rps/clientSettings", 200, try change(body))
    }
}
