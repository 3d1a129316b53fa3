// SPDX-License-Identifier: Apache-2.0
// What waits for a user: the question, its tag, and what the client requires of the answer.
import Foundation
import MPin
import MPinClient
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct `What waits for a user` {
    private static let wid = String(repeating: "a0", count: 16)
    private let fixture: Fixture
    private let client: Client
    private let user: User

    init() throws {
        fixture = try Fixture.bound()
        client = try fixture.client()
        user = try client.onlyUser()
    }

    private func answers(_ seen: ApprovalDetails, wid: String = wid, number: String = "3232212") {
        let login = """
            {"seen": "\(hexText(seen.octets))", "wid": "\(wid)", "number": "\(number)", "life": 90,
            "attempt": "0011223344556677"}
            """
        fixture.instead.answer("/rps/waiting", 200, #"{"waiting": [\#(login)]}"#)
    }

    @Test func `has who asks where, the number of the console, and the session`() throws {
        answers(try seen(fixture, wid: Self.wid))
        let login = try #require(try client.waiting(for: user).first)
        #expect(login.request.host == "host" && login.request.service == "sshd")
        #expect(login.request.account == "alice" && login.request.source == "203.0.113.9")
        #expect(login.request.time == 1_795_218_263 && login.life == 90)
        #expect(login.number == "3232212" && login.accessCode == Self.wid)
    }

    @Test func `is asked for with a tag of the device key over this moment`() throws {
        fixture.instead.answer("/rps/waiting", 200, #"{"waiting": []}"#)
        #expect(try client.waiting(for: user) == [])
        let body = Data(fixture.received("/rps/waiting")[0].body.utf8)
        let request = try JSONDecoder().decode(WaitingRequest.self, from: body)
        let key = try DeviceKey(copying: [UInt8](repeating: 0xd0, count: 32))
        let id = identityHash(user.mpinID)
        #expect(request.id == id && abs(Date().timeIntervalSince1970 - Double(request.time.value)) < 60)
        let tag = try key.tag(of: DevicePass(id: id, waitingAt: UInt64(request.time.value)))
        #expect(request.deviceTag.octets == tag)
    }

    @Test func `is approved exactly as it was listed, without another look-up`() throws {
        let seen = try seen(fixture, wid: Self.wid)
        answers(seen)
        fixture.instead.answer("/rps/pass1", bound())
        fixture.instead.answer("/rps/authenticate", 200, #"{"code":"JQKKMG"}"#)
        let code = try #require(try client.waiting(for: user).first).accessCode
        try client.startAuthentication(user)
        let login = try client.finishAuthentication(user, pin: PIN(Fixture.pin), accessNumber: code)
        #expect(login.code == "JQKKMG")
        #expect(try fixture.bodies("/rps/pass1")[0]["seen"] as? String == hexText(seen.octets))
        #expect(try fixture.bodies("/rps/pass2")[0]["WID"] as? String == code)
        #expect(fixture.received("/rps/codeStatus").isEmpty)
    }

    @Test func `cannot be of another server or session, or have an invalid number`() throws {
        let good = try seen(fixture, wid: Self.wid)
        let other = String(repeating: "b0", count: 16)
        let bad: [() throws -> Void] = [
            { answers(try seen(fixture, wid: Self.wid, origin: "https://elsewhere.example")) },
            { answers(try seen(fixture, wid: other)) }, { answers(good, wid: other) },
            { answers(good, number: "3232213") }, { answers(good, number: "") },
            { fixture.instead.answer("/rps/waiting", 200, #"{"waiting": [{}]}"#) },
            { fixture.instead.answer("/rps/waiting", 200, "{}") },
        ]
        for answer in bad {
            try answer()
            #expect(try status { _ = try client.waiting(for: user) } == .responseParseError)
        }
        fixture.instead.answer("/rps/waiting", 429, "{}")
        #expect(try status { _ = try client.waiting(for: user) } == .httpRequestError)
    }

    @Test func `is not asked for with a user of a Milagro server`() throws {
        let fixture = try Fixture.registered()
        let client = try fixture.client()
        #expect(try status { _ = try client.waiting(for: client.onlyUser()) } == .flowError)
        #expect(fixture.received("/rps/waiting").isEmpty)
    }
}
