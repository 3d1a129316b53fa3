// SPDX-License-Identifier: Apache-2.0
// The client against recorded answers, beyond registration and login: one-time passwords, QR codes, permits.
import Foundation
import MPinClient
import TestSupport
import Testing

@Suite(.slow) struct `Against further records of the Milagro server` {
    @Test func `T-11 gives a one-time password after a right login, and none after a wrong one`() throws {
        let fixture = try Fixture("11-otp")
        try fixture.register(identity: "11-otp")
        let client = try fixture.client()
        let user = try client.onlyUser()
        try client.startAuthentication(user)
        let otp = try client.finishAuthenticationOTP(user, pin: PIN(Fixture.pin))
        #expect(otp.status == .ok && otp.otp == "137344")
        #expect(otp.expireTime == 1_795_218_432 && otp.nowTime == 1_795_218_372 && otp.ttlSeconds == 60)
        #expect(try fixture.bodies("/rps/pass2")[0]["OTP"] as? Bool == true)
        // The second answer of pass 2 carries a password too, and the redemption is 401.
        #expect(
            try status { _ = try client.finishAuthenticationOTP(user, pin: PIN("0000")) } == .incorrectPIN)
        #expect(try client.finishAuthentication(user, pin: PIN(Fixture.pin)).contains("expireTime"))
        #expect(try fixture.bodies("/rps/pass2")[2]["OTP"] as? Bool == false)
    }

    @Test func `T-12 logs a browser in by its QR code`() throws {
        let fixture = try Fixture(try Transcript.deviceView("12-native-qr"))
        let client = try fixture.client()
        let wid = try #require(try fixture.recordedCode("12-native-qr"))
        let details = try client.sessionDetails(accessCode: wid)
        #expect(details.appName == "Milagro MFA Demo" && details.appIconURL == "http://example.com/icon.jpg")
        #expect(details.request == nil)
        let user = try client.startRegistration(client.makeUser("nina@example.org", deviceName: "phone"))
        try client.confirmRegistration(user)
        let registered = try client.finishRegistration(user, pin: PIN(Fixture.pin))
        try client.startAuthentication(registered, accessCode: wid)
        _ = try client.finishAuthentication(registered, pin: PIN(Fixture.pin), accessNumber: wid)
        let told = try fixture.bodies("/rps/codeStatus")
        #expect(told.map { $0["status"] as? String } == ["wid", "user"])
        #expect(told[1]["userId"] as? String == "nina@example.org")
        #expect(try fixture.bodies("/rps/user")[0]["deviceName"] as? String == "phone")
        #expect(try fixture.bodies("/rps/pass2")[0]["WID"] as? String == wid)
        #expect(client.logout(registered))
    }

    @Test func `T-14 logs in, then in a browser whose logout the server refuses`() throws {
        let fixture = try Fixture("14-nowait-accessnumber")
        let client = try fixture.client()
        let user = try client.register("will@example.org")
        #expect(try client.logIn(user).contains("someUserData"))
        try client.startAuthentication(user)
        _ = try client.finishAuthentication(user, pin: PIN(Fixture.pin), accessNumber: "4008707")
        #expect(client.canLogout(user) && !client.logout(user))
        #expect(client.canLogout(user))
        // The second login of the day did not request the second share again.
        #expect(fixture.received("/dta2/timePermit").count == 1)
    }

    @Test func `T-16 uses the permit that the store has ready`() throws {
        let fixture = try Fixture("16-time-permit-storage-hit")
        fixture.instead.answer("/dta2/timePermit", 500)
        let client = try fixture.client()
        let user = try client.register("stan@example.org")
        #expect(try client.logIn(user).contains("someUserData"))
        #expect(fixture.received("/dta2/timePermit").isEmpty)
        let store = try #require(fixture.received("/dta2/tp").first)
        #expect(store.path.split(separator: "/").count == 5)
        #expect(String(decoding: try fixture.plain.read(), as: UTF8.self).contains("\"date\":20777"))
    }

    @Test(arguments: ["hello", "", "0411", "\u{0}\u{1}"])
    func `a store without a permit is skipped`(_ body: String) throws {
        let fixture = try Fixture("16-time-permit-storage-hit")
        fixture.instead.answer("/dta2/tp", 200, body)
        let client = try fixture.client()
        let user = try client.register("stan@example.org")
        #expect(try client.logIn(user).contains("someUserData"))
        #expect(fixture.received("/dta2/timePermit").count == 1)
    }

    @Test func `T-18 and T-19 log in with one permit any number of times`() throws {
        for (name, identity) in [("18-local-states", "a@x"), ("19-pin-collision", "col@x")] {
            let fixture = try Fixture(name)
            let client = try fixture.client()
            let user = try client.register(identity)
            #expect(try client.logIn(user).contains("someUserData"))
            let second = try status { _ = try client.finishAuthentication(user, pin: PIN("1235")) }
            #expect(second == (name == "18-local-states" ? .incorrectPIN : .ok))
            #expect(fixture.received("/rps/timePermit").count == 1)
        }
    }
}

extension Fixture {
    /// Adds a user whose registration was not recorded: only the answers were, so that any token will do.
    func register(identity name: String) throws {
        let exchange = try #require(
            try Transcript.clientView(name).first { $0.route.hasPrefix("/rps/timePermit/") })
        let id = String(exchange.route.dropFirst("/rps/timePermit/".count))
        let token = try Recorded("01-register-forceactivate").token()
        try secure.write(Array(#"{"\#(id)": {"token": "\#(token)"}}"#.utf8))
        try plain.write(Array(#"{"\#(backendKey)": {"\#(id)": {"state": "REGISTERED"}}}"#.utf8))
    }

    func recordedCode(_ name: String) throws -> String? {
        let exchange = try Transcript.deviceView(name).first { $0.route.hasPrefix("/rps/getQrUrl") }
        let body = exchange?.response.body ?? ""
        return body.split(separator: "#").dropFirst().first.map { String($0.prefix(32)) }
    }
}
