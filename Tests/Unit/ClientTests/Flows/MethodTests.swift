// SPDX-License-Identifier: Apache-2.0
// The methods of Milagro's authentication page, one by one, with the statuses that it specifies for each.
import Foundation
import MPinClient
import TestSupport
import Testing

@Suite(.slow) struct `The methods of an authentication` {
    private let fixture: Fixture
    private let client: Client
    private let user: User

    init() throws {
        fixture = try Fixture.registered()
        client = try fixture.client()
        user = try client.onlyUser()
    }

    private func verdicts(_ route: String, _ end: () throws -> Void) throws {
        let promised = [(401, Status.incorrectPIN), (401, .incorrectPIN), (410, .incorrectPIN)]
        for (http, expected) in promised {
            #expect(try client.state(of: user) == .registered)
            fixture.instead.answer(route, http)
            #expect(try status(end) == expected)
        }
        #expect(try client.state(of: user) == .blocked)
        #expect(try status(end) == .flowError)
        #expect(try status { try client.startAuthentication(user) } == .flowError)
    }

    @Test func `StartAuthentication: OK, REVOKED, FLOW_ERROR`() throws {
        #expect(try status { try client.startAuthentication(user) } == .ok)
        for route in ["/rps/timePermit", "/dta2/timePermit"] {
            let fresh = try Fixture("01-register-forceactivate", "02-auth-good")
            try fresh.register()
            let client = try fresh.client()
            fresh.instead.answer(route, 410)
            #expect(try status { try client.startAuthentication(client.onlyUser()) } == .revoked)
            #expect(try client.onlyUser().state == .registered)
        }
        let made = try client.makeUser("new@example.org")
        #expect(try status { try client.startAuthentication(made) } == .flowError)
    }

    @Test func `CheckAccessNumber: OK, INCORRECT_ACCESS_NUMBER`() throws {
        #expect(try status { try client.checkAccessNumber("3232212") } == .ok)
        #expect(try status { try client.checkAccessNumber("3232213") } == .incorrectAccessNumber)
        #expect(fixture.server.received.count == 1)
    }

    @Test func `FinishAuthentication: OK with its result, INCORRECT_PIN, BLOCKED, FLOW_ERROR`() throws {
        #expect(
            try status { _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin)) }
                == .flowError)
        try client.startAuthentication(user)
        let result = try client.finishAuthentication(user, pin: PIN(Fixture.pin))
        #expect(result == #"{"someUserData": "This will be handled by onSuccessLogin handler."}"#)
        try verdicts("/mpinAuthenticate") { _ = try client.finishAuthentication(user, pin: PIN("0000")) }
    }

    @Test func `FinishAuthenticationOTP: OK with its password, or with a status of its own`() throws {
        try client.startAuthentication(user)
        let ticket = #"{"authOTT": "00", "pass": 2, "OTP": "123456"}"#
        let life = #"{"expireTime": 60000, "ttlSeconds": 59, "nowTime": 1000}"#
        let cases: [(pass: String, body: String, status: Status)] = [
            (ticket, life, .ok), (ticket, "{}", .responseParseError), (ticket, "", .responseParseError),
            (ticket, life.replacing("59", with: "0"), .responseParseError),
            (
                ticket, life.replacing("1000,", with: "0,").replacing(": 1000", with: ": 0"),
                .responseParseError
            ),
            (ticket, life.replacing("60000", with: "\"x\""), .responseParseError),
            (ticket.replacing("OTP", with: "otp"), life, .flowError),
        ]
        for (pass, body, expected) in cases {
            fixture.instead.answer("/rps/pass2", 200, pass)
            fixture.instead.answer("/mpinAuthenticate", 200, body)
            let otp = try client.finishAuthenticationOTP(user, pin: PIN(Fixture.pin))
            #expect(otp.status == expected, "\(body)")
            #expect(otp.otp == (expected == .flowError ? "" : "123456"))
            if expected == .ok { #expect((otp.expireTime, otp.ttlSeconds, otp.nowTime) == (60, 59, 1)) }
        }
        try verdicts("/mpinAuthenticate") { _ = try client.finishAuthenticationOTP(user, pin: PIN("0000")) }
    }

    @Test func `FinishAuthenticationAN: OK, INCORRECT_PIN, BLOCKED, INCORRECT_ACCESS_NUMBER`() throws {
        try client.startAuthentication(user)
        let end = { [client, user] (number: String) in
            _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin), accessNumber: number)
        }
        #expect(try status { try end("3232212") } == .ok)
        #expect(try status { try end("3232213") } == .incorrectAccessNumber)
        fixture.instead.answer("/rps/authenticate", 412)
        #expect(try status { try end("3232212") } == .incorrectAccessNumber)
        try verdicts("/rps/authenticate") { try end("3232212") }
    }

    @Test func `FinishAuthenticationMFA: OK with a code, or none`() throws {
        try client.startAuthentication(user)
        fixture.instead.answer("/mpinAuthenticate", 200, #"{"code": "c0de"}"#)
        #expect(try client.finishAuthenticationCode(user, pin: PIN(Fixture.pin)) == "c0de")
        #expect(try fixture.bodies("/rps/pass2")[0]["WID"] as? String == "0")
        for body in ["", "{}", #"{"code": ""}"#, #"{"code": 1}"#, "[]"] {
            fixture.instead.answer("/mpinAuthenticate", 200, body)
            let given = try status {
                _ = try client.finishAuthenticationCode(user, pin: PIN(Fixture.pin))
            }
            #expect(given == .responseParseError, "\(body)")
        }
        try verdicts("/mpinAuthenticate") { _ = try client.finishAuthenticationCode(user, pin: PIN("0000")) }
    }

    @Test func `CanLogout and Logout: only where the server has named an address`() throws {
        #expect(!client.canLogout(user) && !client.logout(user))
        try client.startAuthentication(user)
        let cases: [(body: String, can: Bool, sent: String?)] = [
            (#"{"logoutURL": "", "logoutData": ""}"#, false, nil), ("{}", false, nil), ("", false, nil),
            (#"{"logoutURL": "https://elsewhere.example/", "logoutData": 1}"#, true, nil),
            (#"{"logoutURL": "/logout", "logoutData": {"a": [1, "é"]}}"#, true, #"{"a":[1,"é"]}"#),
            (#"{"logoutURL": "/logout", "logoutData": "text"}"#, true, #""text""#),
            (#"{"logoutURL": "/logout"}"#, true, ""),
        ]
        for (body, can, sent) in cases {
            fixture.instead.answer("/rps/authenticate", 200, body)
            _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin), accessNumber: "3232212")
            #expect(client.canLogout(user) == can, "\(body)")
            let count = fixture.received("/logout").count
            fixture.instead.answer("/logout", 400)
            #expect(!client.logout(user) && client.canLogout(user) == can)
            fixture.instead.answer("/logout", 200)
            #expect(client.logout(user) == (sent != nil), "\(body)")
            #expect(fixture.received("/logout").count == count + (sent == nil ? 0 : 2))
            if let sent { #expect(fixture.received("/logout").last?.body == sent) }
        }
    }

    @Test func `GetSessionDetails in both spellings, and the end of a session`() throws {
        try fixture.answerSettings {
            $0.replacing("{\"requestOTP\"", with: "{\"codeStatusURL\": \"/rps/codeStatus\", \"requestOTP\"")
        }
        #expect(try status { _ = try client.sessionDetails(accessCode: "1") } == .flowError)
        let next = try fixture.client()
        for body in [
            #"{"PrerollId": "p", "AppName": "n", "AppLogoUrl": "i"}"#,
            #"{"prerollId": "p", "appName": "n", "appLogoURL": "i"}"#,
        ] {
            fixture.instead.answer("/rps/codeStatus", 200, body)
            let details = try next.sessionDetails(accessCode: "1")
            #expect(details.prerollID == "p" && details.appName == "n" && details.appIconURL == "i")
        }
        try next.abortSession(accessCode: "1")
        #expect(
            try fixture.bodies("/rps/codeStatus").map { $0["status"] as? String } == ["wid", "wid", "abort"])
        fixture.instead.answer("/rps/codeStatus", 500)
        #expect(try status { try next.abortSession(accessCode: "1") } == .httpServerError)
        // The backend's answer to the choice of a user is ignored.
        try next.startAuthentication(next.onlyUser(), accessCode: "1")
    }

    @Test(arguments: [("3000", 3000, "in 50 minutes"), ("60", 60, "in 1 minute"), ("soon", nil, "later")])
    func `a registration for which there is no place says when to try again`(
        _ header: String, _ seconds: Int?, _ time: String
    ) throws {
        fixture.instead.answer("/rps/user") { _ in .json(429, "{}", headers: ["Retry-After": header]) }
        let refused = #expect(throws: ClientFailure.self) { _ = try client.register("bob@example.org") }
        #expect(refused?.status == .httpRequestError && refused?.httpStatus == 429)
        #expect(refused?.retryAfter == seconds)
        #expect(refused?.message.hasSuffix("wait to be confirmed; try again \(time)") == true)
    }
}
