// SPDX-License-Identifier: Apache-2.0
// Requests of a second device over HTTP, without a relay: only to its own backend and the origins of that.
import Foundation
import MPinCurl
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct DeviceTests {
    private static let wid = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
    private static let look = DeviceRequest.look(wid: octets(wid))
    private static let choose = DeviceRequest.choose(wid: octets(wid), userID: octets("alice@example.org"))
    private static let details =
        #"{"AppName": "x", "appName": "x", "seen": "0a0b", "attempt": "1122334455667788"}"#

    private func line(_ server: Server) throws -> CurlTransport {
        var line = CurlTransport(caller: geteuid())
        _ = try line.exchange(.hello(hello([server.backend])))
        return line
    }

    private func settings(_ changes: [String: String] = [:]) -> Reply {
        RelayTests.settings(["mobileAuthenticateURL": "/rps/authenticate"].merging(changes) { $1 })
    }

    private func server(_ reply: Reply, _ changes: [String: String] = [:]) throws -> Server {
        let settings = settings(changes)
        return try Server { $0.route == "/rps/clientSettings" ? settings : reply }
    }

    @Test func `a session is looked up once, and then the log has the console's attempt`() throws {
        let server = try server(.json(200, DeviceTests.details))
        var line = try line(server)
        let answer = try line.exchange(DeviceTests.look)
        let attempt: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
        #expect(answer == DeviceResponse(status: 200, body: .look(seen: [10, 11], attempt: attempt)))
        #expect(try line.exchange(DeviceTests.choose).body == .chosen)
        #expect(
            server.received.map(\.route) == ["/rps/clientSettings", "/rps/codeStatus", "/rps/codeStatus"])
        #expect(
            server.received.map { $0.headers["mpin-attempt"] }
                == ["0102030405060708", "0102030405060708", "1122334455667788"])
        let sent = try JSONDecoder().decode(
            CodeStatusRequest.self, from: Data(server.received[1].body.utf8))
        #expect(sent == CodeStatusRequest(status: "wid", wid: DeviceTests.wid))
        #expect(server.received[2].body.contains(#""userId":"alice@example.org""#))
    }

    @Test func `a device identifies itself when it looks a session up`() throws {
        let server = try server(.json(200, DeviceTests.details))
        var line = try line(server)
        let device = DeviceTag(id: IdentityHash(repeating: 1), tag: [UInt8](repeating: 2, count: 32))
        _ = try line.exchange(.look(wid: octets(DeviceTests.wid), by: device))
        _ = try line.exchange(.choose(wid: octets(DeviceTests.wid), userID: octets("alice"), by: device))
        for request in server.received.dropFirst() {
            let sent = try JSONDecoder().decode(CodeStatusRequest.self, from: Data(request.body.utf8))
            #expect(sent.id == device.id && sent.deviceTag?.octets == device.tag)
        }
        #expect(server.received.count == 3)
    }

    @Test func `without a console that waits there is nothing to show`() throws {
        let server = try server(.json(200, #"{"Status": "OK"}"#))
        var line = try line(server)
        #expect(try line.exchange(DeviceTests.look).body == .look(seen: [], attempt: []))
    }

    @Test func `deeply nested JSON is not understood, and takes no time`() throws {
        let deep = #"{"logoutURL": "/", "logoutData": "# + String(repeating: "[", count: 30_000)
        let server = try server(.json(200, deep))
        var line = try line(server)
        let answer = try line.exchange(.approve(ticket: octets("0f"), denies: false))
        #expect(answer == DeviceResponse(status: RelayResponse.notUnderstood))
    }

    @Test(arguments: [#"{"AppName": "Milagro MFA Demo", "PrerollId": ""}"#, "{}"])
    func `a server that binds no proof is reported as such`(_ details: String) throws {
        let server = try server(.json(200, details))
        var line = try line(server)
        #expect(try line.exchange(DeviceTests.look) == DeviceResponse(status: RelayResponse.bindsNothing))
    }

    @Test(arguments: ["", "1122", "11223344556677889", "zz22334455667788"])
    func `details without an attempt id are not understood`(_ attempt: String) throws {
        let server = try server(.json(200, #"{"seen": "0a0b", "attempt": "\#(attempt)"}"#))
        var line = try line(server)
        #expect(try line.exchange(DeviceTests.look) == DeviceResponse(status: RelayResponse.notUnderstood))
    }

    @Test(arguments: [true, false]) func `an approval returns a code, and a denial is sent as one`(
        _ denies: Bool
    ) throws {
        let server = try server(.json(200, #"{"code": "JQKKMG"}"#))
        var line = try line(server)
        let answer = try line.exchange(.approve(ticket: octets("0f"), denies: denies))
        #expect(answer.body == .approved(code: octets("JQKKMG")))
        #expect(server.received.last?.route == "/rps/authenticate")
        #expect(server.received.last?.body.contains(#""authOTT":"0f""#) == true)
        #expect(server.received.last?.body.contains("deny") == denies)
    }

    @Test(arguments: [400, 401, 403, 408, 409, 410, 412, 500])
    func `a status is returned unchanged`(_ status: Int) throws {
        let server = try server(.json(status, #"{"code": "JQKKMG"}"#))
        var line = try line(server)
        let answer = try line.exchange(.approve(ticket: octets("0f"), denies: false))
        #expect(answer == DeviceResponse(status: UInt16(status)))
    }

    @Test func `a proof is not sent again, even if the server requests it`() throws {
        let server = try server(.json(503, "{}", headers: ["Retry-After": "1"]))
        var line = try line(server)
        #expect(try line.exchange(.approve(ticket: octets("0f"), denies: false)).status == 503)
        #expect(server.received.count == 2)
    }

    @Test(arguments: ["mobileAuthenticateURL", "codeStatusURL", "mpinAuthServerURL"])
    func `an endpoint of another origin is not followed, and no further request is sent`(_ key: String) throws
    {
        let evil = try Server(.ipv4) { _ in .json(200, DeviceTests.details) }
        let server = try server(.json(200, DeviceTests.details), [key: evil.backend + "/rps"])
        var line = try line(server)
        #expect(try line.exchange(DeviceTests.look) == DeviceResponse(status: RelayResponse.foreignOrigin))
        #expect(server.received.map(\.route) == ["/rps/clientSettings"] && evil.connections == 0)
    }

    @Test func `a redirect is not followed`() throws {
        let evil = try Server(.ipv4) { _ in .json(200, DeviceTests.details) }
        let away = Reply.json(302, "{}", headers: ["Location": evil.backend + "/rps/codeStatus"])
        let server = try server(away)
        var line = try line(server)
        #expect(try line.exchange(DeviceTests.look) == DeviceResponse(status: 302))
        #expect(evil.connections == 0)
    }

    @Test func `receives its device key with the share, and sends the tags made with it`() throws {
        let (share, key) = (String(repeating: "04", count: 65), String(repeating: "d0", count: 32))
        let settings = settings()
        let server = try Server { request in
            switch request.route {
            case "/rps/clientSettings": settings
            case "/rps/user":
                .json(
                    200,
                    #"{"mpinId": "00", "regOTT": "0f", "active": true, "bound": true}"#
                )
            case "/dta2/clientSecret": .json(200, #"{"clientSecret": "\#(share)"}"#)
            default:
                .json(
                    200, #"{"clientSecretShare": "\#(share)", "deviceKey": "\#(key)", "params": "A=1"}"#)
            }
        }
        var line = try line(server)
        let new = RelayRegisterRequest(
            userID: octets("alice"), activationCode: [], deviceName: [], sealed: .none, isPersonal: true)
        let registered = RelayRegisterResponse(mpinID: [0], regOTT: octets("0f"), active: true, isBound: true)
        let first = try line.exchange(.register(new))
        #expect(first.body == .register(registered), "\(first)")
        let ask = RelayClientSecretRequest(mpinID: [0], regOTT: octets("0f"), a: nil)
        let shares = ClientSecretShares(
            share1: [UInt8](repeating: 4, count: 65), share2: [UInt8](repeating: 4, count: 65),
            deviceKey: [UInt8](repeating: 0xd0, count: 32))
        let second = try line.exchange(.clientSecret(ask))
        #expect(second.body == .clientSecret(shares), "\(second)")
        let tag = [UInt8](repeating: 0xab, count: 32)
        _ = try line.exchange(
            .passOne(RelayPassOneRequest(mpinID: [0], u: [4], ut: [], sealed: .none, deviceTag: tag)))
        #expect(server.received.last?.body.contains(#""deviceTag":"abab"#) == true)
        _ = try line.exchange(
            .passTwo(
                RelayPassTwoRequest(
                    mpinID: [0], v: [4], wid: octets("0"), wantsOTP: false, n: [1], deviceTag: tag)))
        #expect(server.received.last?.body.contains(#""deviceTag":"abab"#) == true)
    }

    @Test(arguments: [401, 403, 410]) func `receives the number of tries left with a refusal`(_ status: Int)
        throws
    {
        let server = try server(.json(status, #"{"triesLeft": 2, "retryAfter": 240}"#))
        var line = try line(server)
        var word = DeviceWord()
        (word.triesLeft, word.retryAfter) = (2, 240)
        for question in [
            DeviceRequest.approve(ticket: octets("0f"), denies: false), .redeem(ticket: octets("0f")),
        ] {
            #expect(try line.exchange(question) == DeviceResponse(status: UInt16(status), word: word))
        }
    }

    @Test func `receives notice and new key with its code, and ignores an invalid number`() throws {
        let server = try server(
            .json(
                200,
                #"{"code": "JQKKMG", "notice": "0a", "noticeTag": "0b", "deviceKey": "0c","#
                    + #""deviceKeyTag": "0d", "triesLeft": -1}"#))
        var line = try line(server)
        var word = DeviceWord()
        (word.notice, word.noticeTag, word.deviceKey, word.deviceKeyTag) = ([10], [11], [12], [13])
        let answer = try line.exchange(.approve(ticket: octets("0f"), denies: false))
        #expect(answer == DeviceResponse(status: 200, body: .approved(code: octets("JQKKMG")), word: word))
    }

    @Test func `learns when it may register again`() throws {
        let new = RelayRegisterRequest(
            userID: octets("alice"), activationCode: [], deviceName: [], sealed: .none, isPersonal: true)
        for (header, seconds) in [("3000", UInt32(3000)), ("x", 0), ("99999999999", .max)] {
            let server = try server(.json(429, "{}", headers: ["Retry-After": header]))
            var line = try line(server)
            let answer = try line.exchange(.register(new))
            #expect(answer.status == 429 && answer.retryAfter == seconds)
            #expect(server.received.count == 2)
        }
    }

    @Test func `registers itself, without a question of a host`() throws {
        let server = try server(
            .json(200, #"{"mpinId": "00", "regOTT": "0f", "active": true, "expireTime": "", "nowTime": ""}"#))
        var line = try line(server)
        let new = RelayRegisterRequest(
            userID: octets("alice"), activationCode: octets("BCDF"), deviceName: octets("pocket"),
            sealed: .none, isPersonal: true)
        #expect(try line.exchange(.register(new)).status == 200)
        #expect(server.received.last?.body.contains(#""bound":1"#) == true)
        let plain = RelayRegisterRequest(
            userID: octets("alice"), activationCode: [], deviceName: [], sealed: .none)
        _ = try line.exchange(.register(plain))
        #expect(server.received.last?.body.contains("bound") == false)
    }
}
