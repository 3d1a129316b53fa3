// SPDX-License-Identifier: Apache-2.0
// What setup reads out of a stack, compared with what libpam does.
import CPAM
import Foundation
@testable import MPinAdmin
import TestSupport
import Testing

@Suite struct LibPAMTests {
    /// Whether libpam lets root in.
    private func letsIn(_ text: String, in folder: String) throws -> Bool {
        try Data(text.utf8).write(to: URL(filePath: folder + "/x"))
        var answers = unsafe mpin_pam_answers()
        var handle: OpaquePointer?
        let started = unsafe mpin_pam_start("x", "root", &answers, folder, &handle)
        guard started == PAM_SUCCESS, let handle = unsafe handle else { return false }
        let code = unsafe pam_authenticate(handle, 0)
        unsafe pam_end(handle, code)
        return code == PAM_SUCCESS
    }

    private func rules(_ count: Int, _ random: inout SplitMix) -> String {
        let actions = ["ok", "done", "bad", "die", "ignore", "reset", "1", "2", "3"]
        let keywords = ["required", "requisite", "sufficient", "optional"]
        return (0..<count).map { _ in
            let pairs = ["success", "default"].map { "\($0)=\(actions.randomElement(using: &random) ?? "")" }
            let control =
                Bool.random(using: &random)
                ? keywords.randomElement(using: &random) ?? "" : "[\(pairs.joined(separator: " "))]"
            return "auth \(control) \(Bool.random(using: &random) ? "pam_permit.so" : "pam_deny.so")\n"
        }.joined()
    }

    @Test func `a stack counts as closed if libpam lets nobody in by it, and only then`() throws {
        let folder = try TemporaryFolder()
        var random = SplitMix(seed: 32)
        var open = 0
        for _ in 0..<400 {
            for name in ["in", "deep"] {
                var text = rules(Int.random(in: 0..<4, using: &random), &random)
                if name == "in", Bool.random(using: &random) {
                    text += "auth substack \(folder.path)/deep\n" + rules(1, &random)
                }
                try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
            }
            var text = rules(Int.random(in: 0..<4, using: &random), &random)
            if let word = ["include", "substack", nil].randomElement(using: &random) ?? nil {
                text += "auth \(word) \(folder.path)/in\n"
            }
            text += rules(Int.random(in: 1..<3, using: &random), &random)
            let stack = try PAMStack(service: "x") { name throws(PAMError) in
                guard name != "x" else { return Array("auth [default=ignore] pam_mpin.so\n\(text)".utf8) }
                do { return try Array(Data(contentsOf: URL(filePath: name))) } catch {
                    throw PAMError.missing(name)
                }
            }
            let isOpen = try letsIn(text, in: folder.path)
            let place = try #require(stack.places().first)
            #expect(place.isClosed != isOpen, "\(text)")
            open += isOpen ? 1 : 0
        }
        #expect(open > 40 && open < 360)
    }
}
