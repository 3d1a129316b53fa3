// SPDX-License-Identifier: Apache-2.0
// A user who refuses a login: what the library sends to servers that know refusals, and to those that do not.
import Foundation
import MPin
import MPinClient
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct `A refusal` {
    private static let wid = "3232212"

    /// Each pass, and each redemption.
    private func proofs(_ fixture: Fixture) -> [String] {
        fixture.server.received.map(\.route).filter { $0.contains("pass") || $0.contains("uthenticate") }
    }

    @Test(arguments: [false, true])
    func `logs no browser in at a Milagro server, which takes each good proof for an approval`(
        _ isForeign: Bool
    ) throws {
        let fixture = try Fixture(try Transcript.deviceView("12-native-qr"))
        let client = try fixture.client()
        let wid = try #require(try fixture.recordedCode("12-native-qr"))
        let user = try client.register("nina@example.org")
        _ = try client.sessionDetails(accessCode: wid)
        try client.startAuthentication(user, accessCode: wid)
        #expect(throws: ClientFailure.noRefusal) {
            try client.deny(user, pin: PIN(Fixture.pin), accessCode: wid, isForeign: isForeign)
        }
        #expect(proofs(fixture) == [])
        // The app can say so without a proof.
        try client.abortSession(accessCode: wid, for: user)
        #expect(try fixture.bodies("/rps/codeStatus").last?["status"] as? String == "abort")
        #expect(proofs(fixture) == [])
    }

    @Test func `sends nothing for a user of the core's files, whatever the server shows`() throws {
        let fixture = try Fixture.registered()
        try fixture.tellsWhoWaits()
        let shown = hexText(try seen(fixture, wid: Self.wid).octets)
        fixture.instead.answer("/rps/codeStatus", 200, #"{"seen":"\#(shown)"}"#)
        fixture.instead.answer("/rps/pass1", bound())
        fixture.instead.answer("/rps/authenticate", 200, "{}")
        let client = try fixture.client()
        let user = try client.onlyUser()
        _ = try client.sessionDetails(accessCode: Self.wid, for: user)
        try client.startAuthentication(user, accessCode: Self.wid)
        #expect(throws: ClientFailure.noRefusal) {
            try client.deny(user, pin: PIN(Fixture.pin), accessCode: Self.wid)
        }
        #expect(proofs(fixture) == [])
        // An approval is sent as Milagro's clients send it: no server binds this user's proofs.
        fixture.instead.answer("/rps/pass1", 200, #"{"y":"\#(String(repeating: "07", count: 32))","pass":1}"#)
        _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin), accessNumber: Self.wid)
        #expect(try fixture.bodies("/rps/pass1")[0]["seen"] == nil)
        #expect(try fixture.bodies("/rps/pass2")[0]["WID"] as? String == Self.wid)
    }

    @Test(arguments: [true, false])
    func `is proved to mpind, and gets no V from a server that stopped binding`(_ binds: Bool) throws {
        let fixture = try Fixture.bound()
        let shown = hexText(try seen(fixture, wid: Self.wid).octets)
        fixture.instead.answer("/rps/codeStatus", 200, #"{"seen":"\#(shown)"}"#)
        fixture.instead.answer("/rps/authenticate", 200, "{}")
        let y = String(repeating: "07", count: 32)
        if binds {
            fixture.instead.answer("/rps/pass1", bound())
        } else {
            fixture.instead.answer("/rps/pass1", 200, #"{"y":"\#(y)","pass":1}"#)
        }
        let client = try fixture.client()
        let user = try client.onlyUser()
        try client.startAuthentication(user, accessCode: Self.wid)
        let came = try status { try client.deny(user, pin: PIN(Fixture.pin), accessCode: Self.wid) }
        #expect(came == (binds ? .ok : .cryptoError))
        #expect(try fixture.bodies("/rps/pass1")[0]["seen"] as? String == shown)
        #expect(fixture.received("/rps/pass2").count == (binds ? 1 : 0))
        let redeemed = try fixture.bodies("/rps/authenticate")
        #expect(redeemed.map { $0["deny"] as? Int } == (binds ? [1] : []))
    }
}
