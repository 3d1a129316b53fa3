// SPDX-License-Identifier: Apache-2.0
// Challenges that mpind binds to a purpose (seal.md, section 4): what the client computes again and requires.
import Foundation
import MPin
import MPinClient
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

/// Answers pass 1 as mpind does: the challenge is for what the pass names, or for `other` instead.
func bound(to other: PurposeHash? = nil, spoiled: Bool = false) -> @Sendable (Received) -> Reply {
    { request in
        guard let pass = try? JSONDecoder().decode(PassOneRequest.self, from: Data(request.body.utf8))
        else { return .json(403, "") }
        let n = ServerNonce(repeating: 7)
        let x = other ?? pass.seen.map { ApprovalDetails(decoding: $0.octets)?.purpose } ?? noPurpose
        guard let x,
            var y = try? challenge(
                n: n, id: identityHash(pass.mpinID.octets), u: pass.u.octets, ut: pass.ut.octets, purpose: x)
        else { return .json(500, "") }
        if spoiled { y = y.changed(at: 31) }
        return .json(200, #"{"y":"\#(hexText(y))","n":"\#(hexText(n))","pass":1}"#)
    }
}

extension Fixture {
    /// Answers registrations as mpind does, from now on.
    func binds(deviceKey: String? = String(repeating: "d0", count: 32)) throws {
        let recorded = try Transcript.clientView("01-register-forceactivate")
        func body(_ route: String) throws -> String {
            try #require(recorded.first { $0.route.hasPrefix(route) }?.response.body)
        }
        let user = try body("/rps/user")
        #expect(!user.contains("bound"))
        instead.answer("/rps/user", 200, user.replacing("{", with: #"{"bound": true, "#))
        guard let deviceKey else { return }
        let signature = try body("/rps/signature")
        instead.answer(
            "/rps/signature", 200, signature.replacing("{", with: #"{"deviceKey": "\#(deviceKey)", "#))
    }
}

extension Fixture {
    /// Answers with settings that name the call for the details of a session.
    func tellsWhoWaits() throws {
        let settings = try Transcript.clientView("02-auth-good").first { $0.route == "/rps/clientSettings" }
        let body = try #require(settings?.response.body)
            .replacing(#"{"requestOTP""#, with: #"{"codeStatusURL": "/rps/codeStatus", "requestOTP""#)
            .replacing(#/"certivoxURL": "[^"]*"/#, with: #""certivoxURL": "/dta2/""#)
        instead.answer("/rps/clientSettings", 200, body)
    }
}

func seen(_ fixture: Fixture, wid: String, origin: String? = nil) throws -> ApprovalDetails {
    let origin = origin ?? (fixture.server.backend.hasPrefix("unix:") ? "unix" : fixture.server.backend)
    let texts = [origin, wid, "host", "sshd", "alice", "203.0.113.9"].map { Array($0.utf8) }
    return try #require(
        ApprovalDetails(
            origin: texts[0], wid: texts[1], host: texts[2], service: texts[3], account: texts[4],
            source: texts[5], seconds: 1_795_218_263))
}

@Suite(.slow) struct `A server that binds its challenges` {
    private let fixture: Fixture
    private let client: Client
    private let user: User

    init() throws {
        fixture = try Fixture.bound()
        client = try fixture.client()
        user = try client.onlyUser()
    }

    @Test func `is asked to bind at each registration`() throws {
        let fixture = try Fixture("01-register-forceactivate")
        _ = try fixture.client().register("alice@example.org")
        #expect(try fixture.bodies("/rps/user")[0]["bound"] as? Int == 1)
    }

    @Test func `logs in with a challenge that has no purpose, and gets n back`() throws {
        fixture.instead.answer("/rps/pass1", bound())
        #expect(try client.logIn(user).contains("someUserData"))
        #expect(
            try fixture.bodies("/rps/pass2")[0]["n"] as? String == String(repeating: "07", count: 32))
    }

    @Test(arguments: [true, false])
    func `gets no V for a challenge made for another purpose`(_ isSpoiled: Bool) throws {
        let other = PurposeHash(repeating: isSpoiled ? 0 : 1)
        fixture.instead.answer("/rps/pass1", bound(to: other, spoiled: isSpoiled))
        #expect(try status { _ = try client.logIn(user) } == .cryptoError)
        #expect(fixture.received("/rps/pass2").isEmpty)
        #expect(try client.state(of: user) == .registered)
    }

    @Test(arguments: [true, false])
    func `must keep to what it said at the registration, even before the first login`(_ isSaid: Bool) throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        if isSaid { try fixture.binds() }
        _ = try fixture.client().register("alice@example.org")
        fixture.instead.answer("/rps/pass1", 200, #"{"y":"\#(String(repeating: "07", count: 32))","pass":1}"#)
        let next = try fixture.client()
        #expect(try status { _ = try next.logIn(next.onlyUser()) } == (isSaid ? .cryptoError : .ok))
        #expect(fixture.received("/rps/pass2").count == (isSaid ? 0 : 1))
    }

    @Test func `opens a console for a user who was shown the details`() throws {
        let seen = hexText(try seen(fixture, wid: "3232212").octets)
        fixture.instead.answer("/rps/codeStatus", 200, #"{"appName":"ssh","seen":"\#(seen)"}"#)
        fixture.instead.answer("/rps/pass1", bound())
        fixture.instead.answer("/rps/authenticate", 200, #"{"code":"JQKKMG"}"#)
        let details = try client.sessionDetails(accessCode: "3232212")
        let request = try #require(details.request)
        #expect(details.appName == "ssh" && request.host == "host" && request.service == "sshd")
        #expect(
            request.account == "alice" && request.source == "203.0.113.9" && request.time == 1_795_218_263)
        try client.startAuthentication(user, accessCode: "3232212")
        let login = try client.finishAuthentication(user, pin: PIN(Fixture.pin), accessNumber: "3232212")
        #expect(login.code == "JQKKMG")
        #expect(try fixture.bodies("/rps/pass1")[0]["seen"] as? String == seen)
        #expect(!client.canLogout(user))
    }

    @Test func `is asked for details that the app did not fetch, and gets no proof for an unknown session`()
        throws
    {
        let fixture = try Fixture.bound()
        let client = try fixture.client()
        let user = try client.onlyUser()
        let seen = try seen(fixture, wid: "3232212")
        fixture.instead.answer("/rps/pass1", bound())
        fixture.instead.answer("/rps/authenticate", 200, #"{"code":"JQKKMG"}"#)
        for (told, expected) in [
            (#"{"seen":"\#(hexText(seen.octets))"}"#, Status.ok), ("{}", .incorrectAccessNumber),
        ] {
            fixture.instead.answer("/rps/codeStatus", 200, told)
            try client.startAuthentication(user)
            let given = try status {
                _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin), accessNumber: "3232212")
            }
            #expect(given == expected)
        }
        #expect(try fixture.bodies("/rps/pass1").map { $0["seen"] as? String } == [hexText(seen.octets)])
        #expect(fixture.received("/rps/pass2").count == 1)
    }

    @Test(arguments: ["https://elsewhere.example", nil])
    func `cannot show details of another server or session`(_ origin: String?) throws {
        let seen = try seen(fixture, wid: origin == nil ? "2518074" : "3232212", origin: origin)
        fixture.instead.answer("/rps/codeStatus", 200, #"{"seen":"\#(hexText(seen.octets))"}"#)
        #expect(
            try status { _ = try client.sessionDetails(accessCode: "3232212") } == .responseParseError)
    }

    @Test func `gives an authorization code for the session that was opened`() throws {
        let wid = String(repeating: "a0", count: 16)
        let seen = try seen(fixture, wid: wid)
        fixture.instead.answer(
            "/authorize", 200, #"{"webOTT":"0","qrURL":"https://x.example/#\#(wid)","accessURL":""}"#)
        fixture.instead.answer("/rps/codeStatus", 200, #"{"seen":"\#(hexText(seen.octets))"}"#)
        fixture.instead.answer("/rps/pass1", bound())
        fixture.instead.answer("/mpinAuthenticate", 200, #"{"code":"c0de"}"#)
        try client.setClientID("app")
        let code = try client.accessCode(authorizeURL: "/authorize?client_id=app")
        #expect(code == wid)
        _ = try client.sessionDetails(accessCode: code)
        try client.startAuthentication(user, accessCode: code)
        #expect(try client.finishAuthenticationCode(user, pin: PIN(Fixture.pin), accessCode: code) == "c0de")
        #expect(try fixture.bodies("/rps/pass2")[0]["WID"] as? String == wid)
        #expect(fixture.received("/authorize")[0].headers["x-miracl-client-id"] == "app")
    }
}

@Suite(.slow) struct `A device key` {
    private func tag(_ body: [String: Any]) throws -> [UInt8] { try part(body, "deviceTag") }

    private func part(_ body: [String: Any], _ key: String) throws -> [UInt8] {
        let digits = try #require(body[key] as? String)
        return try #require(octets(fromHex: Array(digits.utf8)))
    }

    @Test(arguments: [nil, "", "d0", String(repeating: "d0", count: 33)])
    func `must come with a bound registration, which fails otherwise`(_ key: String?) throws {
        let fixture = try Fixture("01-register-forceactivate")
        try fixture.binds(deviceKey: key)
        #expect(try status { _ = try fixture.client().register("alice@example.org") } == .responseParseError)
        #expect(try fixture.client().onlyUser().state == .activated)
    }

    @Test func `is not used with a Milagro server`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        _ = try fixture.client().register("alice@example.org")
        #expect(try fixture.client().logIn(fixture.client().onlyUser()).contains("someUserData"))
        #expect(try fixture.bodies("/rps/pass1")[0]["deviceTag"] == nil)
        #expect(try fixture.bodies("/rps/pass2")[0]["deviceTag"] == nil)
    }

    @Test func `makes the tags of both passes`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        try fixture.binds()
        _ = try fixture.client().register("alice@example.org")
        fixture.instead.answer("/rps/pass1", bound())
        // Another client: the key was stored with the token.
        _ = try fixture.client().logIn(fixture.client().onlyUser())
        let (one, two) = (try fixture.bodies("/rps/pass1")[0], try fixture.bodies("/rps/pass2")[0])
        let key = try DeviceKey(copying: [UInt8](repeating: 0xd0, count: 32))
        let mpinID = try part(one, "mpin_id")
        let (u, ut) = (try part(one, "U"), try part(one, "UT"))
        let first = DevicePass(id: identityHash(mpinID), u: u, ut: ut, seen: [])
        #expect(try key.verifies(tag(one), of: first))
        let n = try ServerNonce(exactly: part(two, "n"))
        let second = try DevicePass(
            id: identityHash(mpinID), n: n,
            y: challenge(n: n, id: identityHash(mpinID), u: u, ut: ut, purpose: noPurpose),
            v: part(two, "V"), wid: Array("0".utf8), wantsOTP: false)
        #expect(try key.verifies(tag(two), of: second))
    }

    /// The answer of mpind to a right login, under the device key `d0d0...`.
    private func said(
        _ mpinID: [UInt8], to request: Received, newer: [UInt8], spoiled: Bool
    ) throws -> String {
        let asked = try JSONDecoder().decode(AuthenticateRequest.self, from: Data(request.body.utf8))
        let ticket = try #require(asked.mpinResponse?.authOTT)
        let key = try DeviceKey(copying: [UInt8](repeating: 0xd0, count: 32))
        let id = identityHash(mpinID)
        let notice = try #require(
            TriesNotice(
                for: .device, subject: id.octets + sha256([UInt8](ticket.utf8)), count: 3,
                lastSeconds: 1_795_218_263,
                lastSource: Array("203.0.113.9\u{1b}[2J".utf8)))
        var noticeTag = try key.tag(of: notice)
        var keyTag = try key.tag(ofNewer: DeviceKey(copying: newer), for: id)
        if spoiled { (noticeTag[0], keyTag[0]) = (noticeTag[0] ^ 1, keyTag[0] ^ 1) }
        return #"{"notice": "\#(hexText(notice.octets))", "noticeTag": "\#(hexText(noticeTag))","#
            + #""triesLeft": 29, "deviceKey": "\#(hexText(newer))", "deviceKeyTag": "\#(hexText(keyTag))"}"#
    }

    @Test(arguments: [false, true])
    func `authenticates the notice after a login, and the key of a newer epoch`(_ spoiled: Bool) throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        try fixture.binds()
        let user = try fixture.client().register("alice@example.org")
        fixture.instead.answer("/rps/pass1", bound())
        let newer = [UInt8](repeating: 0x7a, count: 32)
        fixture.instead.answer("/mpinAuthenticate") { request in
            let answer = try? said(user.mpinID, to: request, newer: newer, spoiled: spoiled)
            return .json(200, answer ?? "")
        }
        let client = try fixture.client()
        #expect(client.notice(of: user) == nil)
        _ = try client.logIn(client.onlyUser())
        let notice = client.notice(of: user)
        #expect((notice == nil) == spoiled)
        if let notice {
            #expect(notice.wrongTries == 3 && notice.lastTime == 1_795_218_263 && notice.triesLeft == 29)
            #expect(notice.lastSource == "203.0.113.9?[2J")
        }
        let kept = String(decoding: try fixture.secure.read(), as: UTF8.self)
        #expect(kept.contains(hexText(newer)) == !spoiled)
        #expect(kept.contains(String(repeating: "d0", count: 32)) == spoiled)
    }

    @Test func `brings the tries left after a wrong PIN, and the time of a lock`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        try fixture.binds()
        _ = try fixture.client().register("alice@example.org")
        fixture.instead.answer("/rps/pass1", bound())
        for (status, body, left, wait) in [
            (401, #"{"triesLeft": 2}"#, 2, nil), (403, #"{"triesLeft": 0, "retryAfter": 60}"#, 0, 60),
            (401, #"{"triesLeft": -1, "retryAfter": 0}"#, nil, nil), (401, "", nil, nil),
        ] as [(Int, String, Int?, Int?)] {
            fixture.instead.answer("/mpinAuthenticate", status, body)
            let client = try fixture.client()
            let refused = #expect(throws: ClientFailure.self) { _ = try client.logIn(client.onlyUser()) }
            #expect(refused?.triesLeft == left && refused?.retryAfter == wait)
        }
    }

    @Test func `that was lost sends no proof`() throws {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        try fixture.binds()
        _ = try fixture.client().register("alice@example.org")
        let text = String(decoding: try fixture.secure.read(), as: UTF8.self)
        let lost = text.replacing(#/"deviceKey":"[^"]*",?/#, with: "")
        #expect(text != lost)
        try fixture.secure.write(Array(lost.utf8))
        #expect(try status { _ = try fixture.client().logIn(fixture.client().onlyUser()) } == .cryptoError)
        #expect(fixture.received("/rps/pass1").isEmpty)
    }
}
