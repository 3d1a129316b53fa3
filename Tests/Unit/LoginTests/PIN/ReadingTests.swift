// SPDX-License-Identifier: Apache-2.0
// One prompt, several kinds of answer: every input is read as exactly one of them.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

/// How a combined prompt reads an answer, observed from outside by the step that follows.
private enum Made: Equatable { case approval, wrongCode, pin, nothing, other }

@Suite struct `What is typed at the combined prompt` {
    private func made(_ typed: String, _ fixture: LoginFixture, _ settings: Settings) throws -> Made {
        let context = fixture.context()
        let machine = Login(
            settings: settings, context: context, credentials: .find(settings, context), nonce: freshNonce)
        var step = machine.resume(.begin)
        while case .exchange(let question) = step {
            step = machine.resume(.received(try fixture.server.exchange(question)))
        }
        let text = typed == "@" ? try fixture.server.approvalCode() : typed
        switch machine.resume(.answered(try secret(text))) {
        case .exchange(.authenticate(let request)) where request.authOTT.isEmpty: return .approval
        case .prepare: return .pin
        case .tell(.wrongCode): return .wrongCode
        case .tell(.noPIN): return .nothing
        default: return .other
        }
    }

    /// The rule, stated independently of the code under test. `@` stands for the session's own approval code.
    private func expected(_ typed: String) -> Made {
        if typed == "@" { return .approval }
        let signs = typed.uppercased().filter { $0 != " " && $0 != "-" }
        if signs.count == 6, signs.allSatisfy({ "BCDFGHJKLMNPQRSTVWXZ".contains($0) }) { return .wrongCode }
        if signs.count == 16, signs.allSatisfy({ "BCDFGHJKLMNPQRSTVWXZ".contains($0) }) { return .nothing }
        let isPlain = typed.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        return (1...128).contains(typed.utf8.count) && isPlain ? .pin : .nothing
    }

    @Test func `is read as exactly one kind of answer`() throws {
        let fixture = try LoginFixture(rule: .milagroString)
        try fixture.addDevice()
        let settings = try fixture.settings()
        let consonants = Array("BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz")
        let separators = Array(" -")
        let printable = (0x20...0x7e).map { Character(UnicodeScalar($0)) }
        var random = SplitMix(seed: 20_261_122)
        var seen: [Made] = []
        for round in 0..<rounds(300) {
            var typed = ""
            switch round % 6 {
            case 0: typed = "@"
            case 1, 2:
                for _ in 0..<(5 + random.next(3)) {
                    typed.append(consonants[random.next(consonants.count)])
                    if random.next(4) == 0 { typed.append(separators[random.next(2)]) }
                }
            case 3: for _ in 0..<(4 + random.next(5)) { typed += "\(random.next(10))" }
            case 4: for _ in 0..<random.next(140) { typed.append(printable[random.next(printable.count)]) }
            default:
                for _ in 0..<(14 + random.next(4)) { typed.append(consonants[random.next(consonants.count)]) }
                if random.next(3) == 0 { typed += "\u{e9}" }
            }
            let found = try made(typed, fixture, settings)
            #expect(found == expected(typed), "\(typed)")
            seen.append(found)
        }
        for made in [Made.approval, .wrongCode, .pin, .nothing] { #expect(seen.contains(made)) }
        // That of the enrolment: no answer above was sent to the server.
        #expect(fixture.server.asked(.authenticate).count == 1)
    }

    @Test func `leaves the host in no form but V`() throws {
        let fixture = try LoginFixture(remote: true)
        try fixture.addDevice()
        let before = fixture.server.asked.count
        let typed = ["rattling kettlf", "BCDFGH", "JQK-KMG", LoginFixture.longPIN]
        let lines = "tries = 4"
        #expect(try fixture.console(typed.map { .text($0) }, lines).outcome.isGranted)
        let code = try fixture.console([.code, .approved(by: LoginFixture.device)])
        #expect(code.outcome.isGranted)
        for question in fixture.server.asked.dropFirst(before) {
            let frame = try question.encoded()
            for text in typed {
                let octets = Array(text.utf8)
                for form in [octets, hex(octets), sha256(octets)] { #expect(!frame.contains(form)) }
            }
        }
    }
}
