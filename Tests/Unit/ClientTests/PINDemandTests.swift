// SPDX-License-Identifier: Apache-2.0
// A new PIN that the server's settings rule out is refused with a reason, and another one is accepted.
import MPinClient
import TestSupport
import Testing

@Suite(.slow) struct `What a server asks of new PINs` {
    private func confirmed(_ members: String) throws -> (Fixture, Client, User) {
        let fixture = try Fixture("01-register-forceactivate", "02-auth-good")
        try fixture.answerSettings { $0.replacing("{\"requestOTP\"", with: "{\(members), \"requestOTP\"") }
        let client = try fixture.client()
        let user = try client.startRegistration(client.makeUser("alice@example.org"))
        try client.confirmRegistration(user)
        return (fixture, client, user)
    }

    @Test(arguments: [
        (#""pinLength": 8"#, "258025", PINRefusal.shorter(than: 8), "8 characters", "25802580"),
        (#""pinKinds": "no-dates""#, "311299", .date, "dates", "258025"),
    ])
    func `is enforced, and named as the reason`(
        _ members: String, _ refused: String, _ reason: PINRefusal, _ words: String, _ taken: String
    ) throws {
        let (fixture, client, user) = try confirmed(members)
        let failure = #expect(throws: ClientFailure.self) {
            _ = try client.finishRegistration(user, pin: PIN(refused))
        }
        #expect(failure?.status == .incorrectPIN && failure?.refusedPIN == reason)
        #expect(failure?.message.contains(words) == true)
        #expect(try client.finishRegistration(user, pin: PIN(taken)).state == .registered)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: [#""pinLength": 1"#, #""pinLength": "many""#, #""pinKinds": "any""#])
    func `is ignored if it is invalid`(_ members: String) throws {
        let (fixture, client, user) = try confirmed(members)
        #expect(try client.finishRegistration(user, pin: PIN("1234")).state == .registered)
        withExtendedLifetime(fixture) {}
    }
}
