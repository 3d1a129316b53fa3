// SPDX-License-Identifier: Apache-2.0
// Which options of `mpin enroll` go together.
@testable import MPinAdmin
import Testing

@Suite struct EnrolmentTests {
    private static let server = ServerChoice(backends: ["unix:/run/mpind/mpind.sock"])

    private func enrolment(
        at server: ServerChoice = server, code: Int32? = nil, _ change: (inout Enrolment) -> Void
    ) -> Enrolment {
        var enrolment = Enrolment(at: server, Dialogue(code: code, with: ScriptedRespondent()))
        (enrolment.user, enrolment.name) = ("alice", "alice@example.org")
        change(&enrolment)
        return enrolment
    }

    @Test func `options that go together are no contradiction`() {
        #expect(enrolment { _ in }.contradiction == nil)
        #expect(enrolment { $0.isRemote = true }.contradiction == nil)
        #expect(enrolment { ($0.name, $0.isHere) = (nil, true) }.contradiction == nil)
        #expect(enrolment { ($0.name, $0.isPhone, $0.isText) = (nil, true, true) }.contradiction == nil)
        #expect(enrolment(code: 3) { $0.isPhone = true }.contradiction == nil)
        let personal = enrolment {
            ($0.user, $0.isPersonal, $0.alsoOrigins) = (nil, true, ["https://a.example"])
        }
        #expect(personal.contradiction == nil)
    }

    @Test func `a contradiction is reported with its option`() {
        let none = ServerChoice()
        for (enrolment, word) in [
            (enrolment { ($0.user, $0.name, $0.isPersonal) = (nil, nil, true) }, "--identity"),
            (enrolment { $0.user = nil }, "account"),
            (enrolment(code: 3) { $0.isHere = true }, "--here"),
            (enrolment { ($0.isHere, $0.isPhone) = (true, true) }, "--here"),
            (enrolment { $0.isPersonal = true }, "--personal"),
            (enrolment(at: none) { ($0.user, $0.isPersonal) = (nil, true) }, "--backend"),
            (enrolment { ($0.isRemote, $0.isPhone) = (true, true) }, "--remote"),
            (enrolment { $0.isText = true }, "--print"),
            (enrolment(code: 3) { ($0.isPhone, $0.isBound) = (true, true) }, "--bind"),
            (enrolment { $0.alsoOrigins = ["https://a.example"] }, "--also-origin"),
        ] {
            #expect(enrolment.contradiction?.contains(word) == true, "\(word)")
        }
    }
}
