// SPDX-License-Identifier: Apache-2.0
// An answer that was wrong in a login is neither sent nor counted again.
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import TestSupport
import Testing

@Suite struct `An answer that was wrong in this login` {
    private let fixture: LoginFixture

    init() throws {
        fixture = try LoginFixture()
        try fixture.addDevice()
        fixture.server.passwords[LoginFixture.device] = ("123456", 0)
    }

    /// One call of the module; `wrong` has the answers of earlier calls.
    private func login(_ answers: [String], _ lines: String, _ wrong: WrongAnswers) throws -> Outcome {
        let (settings, context) = (try fixture.settings(lines), fixture.context())
        let machine = Login(
            settings: settings, context: context, credentials: .find(settings, context), wrong: wrong,
            nonce: freshNonce)
        var person = Person(answers)
        return drive(machine, &person, deadline: Deadline(milliseconds: 600_000)) { fixture.server.connect() }
    }

    @Test func `is not sent as a PIN again, in this call or a later one`() throws {
        let wrong = WrongAnswers()
        let before = fixture.server.asked(.passTwo).count
        #expect(
            try login(["1470", "1470", "1470"], "method = pin", wrong) == .refused(.wrongPIN(triesLeft: 2)))
        #expect(try login(["1470"], "method = pin\ntries = 1", wrong) == .refused(.wrongPIN(triesLeft: 2)))
        #expect(fixture.server.asked(.passTwo).count == before + 1)
        #expect(try login(["1470", LoginFixture.pin], "method = pin", wrong).isGranted)
        #expect(fixture.server.asked(.passTwo).count == before + 2)
        // In another login it is.
        _ = try login(["1470"], "method = pin\ntries = 1", WrongAnswers())
        #expect(fixture.server.asked(.passTwo).count == before + 3)
    }

    @Test func `is not sent as a one-time password again, and the right one still lets in`() throws {
        let wrong = WrongAnswers()
        #expect(try login(["654321", "654321", "654321"], "method = otp", wrong) == .refused(.wrongOTP))
        #expect(fixture.server.asked(.otp).count == 1)
        #expect(try login(["654321", "123456"], "method = otp", wrong).isGranted)
        #expect(fixture.server.asked(.otp).count == 2)
    }

    @Test func `does not end the session as a third wrong approval code`() throws {
        var typed = [Typed](repeating: .text("BBBBBB"), count: 4)
        typed.append(.approved(by: LoginFixture.device))
        let shown = try fixture.console(typed, "tries = 9")
        #expect(shown.outcome.isGranted && shown.notices == [Notice](repeating: .wrongCode, count: 4))
    }

    @Test func `is sent as a PIN if it was wrong as something else`() throws {
        let wrong = WrongAnswers()
        let before = fixture.server.asked(.passTwo).count
        #expect(try login(["654321"], "method = otp\ntries = 1", wrong) == .refused(.wrongOTP))
        _ = try login(["654321"], "method = pin\ntries = 1", wrong)
        #expect(fixture.server.asked(.passTwo).count == before + 1)
    }
}
