// SPDX-License-Identifier: Apache-2.0
// The report of `mpin doctor` on its findings, as text and as JSON.
import Foundation
@testable import MPinAdmin
import Testing

@Suite struct DoctorReportTests {
    private static let good = Finding(ok: "module", "the module loads.")
    private static let note = Finding(note: "exempt", "some people are exempt.", "Look at it.")
    private static let problem = Finding(note: "nobody-asked", "nobody is asked.", "Run 'sudo mpin setup'.")
    private static let blinding = Finding(problem: "settings-missing", "there is no mpin.conf.")

    @Test func `problems come first, and good findings only with --verbose`() {
        let findings = [Self.good, Self.note, Self.problem]
        let told = DoctorReport(findings, verbose: false).lines
        #expect(told.first?.hasPrefix("\(Self.problem.level.rawValue):") == true)
        #expect(told.contains { $0.hasSuffix("nobody is asked. [nobody-asked]") })
        #expect(told.contains("         Run 'sudo mpin setup'."))
        #expect(!told.contains { $0.contains("the module loads") })
        #expect(told.last?.hasSuffix("1 in order.") == true)
        #expect(DoctorReport(findings, verbose: true).lines.contains { $0.contains("the module loads") })
    }

    @Test func `the exit status shows whether there are problems, and whether they hide others`() {
        #expect(DoctorReport([Self.good, Self.note], verbose: false).exit == nil)
        #expect(DoctorReport([Self.good, Self.blinding], verbose: false).exit == 2)
        let sshd = Finding(warning: "sshd-unread", "sshd says nothing.", "Correct it.")
        #expect(DoctorReport([sshd], verbose: false).exit == nil)
        let module = Finding(problem: "module-broken", "The module does not load.")
        #expect(DoctorReport([sshd, module], verbose: false).exit == 1)
    }

    @Test func `the JSON report has every finding, whatever the text shows`() throws {
        let report = DoctorReport([Self.good, Self.note], verbose: false)
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
        #expect(object?.keys.sorted() == ["findings", "mended", "problems", "warnings"])
        let findings = try #require(object?["findings"] as? [[String: Any]])
        #expect(findings.map { $0["word"] as? String } == ["exempt", "module"])
        #expect(findings.map { $0["fixable"] as? Bool } == [false, false])
    }

    @Test func `a file's name cannot send control characters to the terminal`() {
        let finding = Finding(ok: "module", "/tmp/\u{1b}[2J is open.")
        #expect(!DoctorReport([finding], verbose: true).lines.joined().contains("\u{1b}"))
    }
}
