// SPDX-License-Identifier: Apache-2.0
// Challenges that mpind binds to a purpose (spec: seal, `y`): what the client recomputes and insists on.
import Foundation
import MPin
import MPinClient
import MPinWire
import TestSupport
import Testing

/// Answers pass 1 as mpind does.
private func bound(
    to purpose: [UInt8], spoiled: Bool = false
) -> @Sendable (Received) -> Reply {
    { request in
        guard let pass = try? JSONDecoder().decode(PassOneRequest.self, from: Data(request.body.utf8)) else {
            return .json(403, "")
        }
        let n = [UInt8](repeating: 7, count: 32)
        let y = try? challenge(
            n: n, id: identityHash(pass.mpinID.octets), u: pass.u.octets, ut: pass.ut.octets, purpose: purpose
        )
        guard var y else { return .json(500, "") }
        if spoiled { y[31] ^= 1 }
        return .json(200, #"{"y":"\#(hexText(y))","n":"\#(hexText(n))","pass":1}"#)
    }
}

private func seen(_ stage: Stage, wid: String, origin: String? = nil) throws -> Seen {
    let origin = origin ?? (stage.server.backend.hasPrefix("unix:") ? "unix" : stage.server.backend)
    let texts = [origin, wid, "host", "sshd", "alice", "203.0.113.9"].map { Array($0.utf8) }
    return try #require(
        Seen(
            origin: texts[0], wid: texts[1], host: texts[2], service: texts[3], account: texts[4],
            source: texts[5], seconds: 1_795_218_263))
}

@Suite struct `A server that binds its challenges` {
    private let stage: Stage
    private let client: Client
    private let user: User

    init() throws {
        stage = try Stage("01-register-forceactivate", "02-auth-good", "05-access-number")
        try stage.register()
        let settings = try Transcript.clientView("02-auth-good").first { $0.route == "/rps/clientSettings" }
        let body = try #require(settings?.response.body)
            .replacing(#"{"requestOTP""#, with: #"{"codeStatusURL": "/rps/codeStatus", "requestOTP""#)
            .replacing(#/"certivoxURL": "[^"]*"/#, with: #""certivoxURL": "/dta2/""#)
        stage.instead.answer("/rps/clientSettings", 200, body)
        client = try stage.client()
        user = try client.onlyUser()
    }

    @Test func `is asked for it at each registration`() throws {
        let stage = try Stage("01-register-forceactivate")
        _ = try stage.client().register("alice@example.org")
        #expect(try stage.bodies("/rps/user")[0]["bound"] as? Int == 1)
    }

    @Test func `logs in with a challenge for nothing else, and gets n back`() throws {
        stage.instead.answer("/rps/pass1", bound(to: noPurpose))
        #expect(try client.logIn(user).contains("someUserData"))
        #expect(
            try stage.bodies("/rps/pass2")[0]["n"] as? String == String(repeating: "07", count: 32))
    }

    @Test(arguments: [true, false])
    func `gets no V for a challenge that was made for something else`(_ isSpoiled: Bool) throws {
        let other = [UInt8](repeating: isSpoiled ? 0 : 1, count: 32)
        stage.instead.answer("/rps/pass1", bound(to: other, spoiled: isSpoiled))
        #expect(try status { _ = try client.logIn(user) } == .cryptoError)
        #expect(stage.received("/rps/pass2").isEmpty)
        #expect(try client.state(of: user) == .registered)
    }

    @Test(arguments: [true, false])
    func `is held to what it said at the registration, before its first login`(_ isSaid: Bool) throws {
        let stage = try Stage("01-register-forceactivate", "02-auth-good")
        let recorded = try Transcript.clientView("01-register-forceactivate").first {
            $0.route == "/rps/user"
        }
        let body = try #require(recorded?.response.body)
        #expect(!body.contains("bound"))
        if isSaid { stage.instead.answer("/rps/user", 200, body.replacing("{", with: #"{"bound": true, "#)) }
        _ = try stage.client().register("alice@example.org")
        stage.instead.answer("/rps/pass1", 200, #"{"y":"\#(String(repeating: "07", count: 32))","pass":1}"#)
        let next = try stage.client()
        #expect(try status { _ = try next.logIn(next.onlyUser()) } == (isSaid ? .cryptoError : .ok))
        #expect(stage.received("/rps/pass2").count == (isSaid ? 0 : 1))
    }

    @Test func `opens a console to somebody who was shown who asks`() throws {
        let seen = try seen(stage, wid: "3232212")
        stage.instead.answer("/rps/codeStatus", 200, #"{"appName":"ssh","seen":"\#(hexText(seen.octets))"}"#)
        stage.instead.answer("/rps/pass1", bound(to: seen.purpose))
        stage.instead.answer("/rps/authenticate", 200, #"{"code":"JQKKMG"}"#)
        let details = try client.sessionDetails(accessCode: "3232212")
        let request = try #require(details.request)
        #expect(details.appName == "ssh" && request.host == "host" && request.service == "sshd")
        #expect(
            request.account == "alice" && request.source == "203.0.113.9" && request.time == 1_795_218_263)
        try client.startAuthentication(user, accessCode: "3232212")
        let login = try client.finishAuthentication(user, pin: PIN(Stage.pin), accessNumber: "3232212")
        #expect(login.code == "JQKKMG")
        #expect(try stage.bodies("/rps/pass1")[0]["seen"] as? String == hexText(seen.octets))
        #expect(!client.canLogout(user))
    }

    @Test func `opens none to somebody who was not`() throws {
        let seen = try seen(stage, wid: "3232212")
        stage.instead.answer("/rps/pass1", bound(to: seen.purpose))
        try client.startAuthentication(user)
        let given = try status {
            _ = try client.finishAuthentication(user, pin: PIN(Stage.pin), accessNumber: "3232212")
        }
        #expect(given == .cryptoError)
        #expect(try stage.bodies("/rps/pass1")[0]["seen"] == nil)
        #expect(stage.received("/rps/pass2").isEmpty)
    }

    @Test(arguments: ["https://elsewhere.example", nil])
    func `shows nothing of another server or session`(_ origin: String?) throws {
        let seen = try seen(stage, wid: origin == nil ? "2518074" : "3232212", origin: origin)
        stage.instead.answer("/rps/codeStatus", 200, #"{"seen":"\#(hexText(seen.octets))"}"#)
        #expect(
            try status { _ = try client.sessionDetails(accessCode: "3232212") } == .responseParseError)
    }

    @Test func `gives an authorization code for the session that was opened`() throws {
        let wid = String(repeating: "a0", count: 16)
        let seen = try seen(stage, wid: wid)
        stage.instead.answer(
            "/authorize", 200, #"{"webOTT":"0","qrURL":"https://x.example/#\#(wid)","accessURL":""}"#)
        stage.instead.answer("/rps/codeStatus", 200, #"{"seen":"\#(hexText(seen.octets))"}"#)
        stage.instead.answer("/rps/pass1", bound(to: seen.purpose))
        stage.instead.answer("/mpinAuthenticate", 200, #"{"code":"c0de"}"#)
        try client.setClientID("app")
        let code = try client.accessCode(authorizeURL: "/authorize?client_id=app")
        #expect(code == wid)
        _ = try client.sessionDetails(accessCode: code)
        try client.startAuthentication(user, accessCode: code)
        #expect(try client.finishAuthenticationCode(user, pin: PIN(Stage.pin), accessCode: code) == "c0de")
        #expect(try stage.bodies("/rps/pass2")[0]["WID"] as? String == wid)
        #expect(stage.received("/authorize")[0].headers["x-miracl-client-id"] == "app")
    }
}
