// SPDX-License-Identifier: Apache-2.0
// The user of a command in a test: types what the test says, and keeps the prompts and the messages.
@testable import MPinAdmin
import Secrets

/// Answers one prompt after the other; when no answer is left, it behaves as without a terminal.
final class ScriptedRespondent: Respondent {
    private var answers: [String]
    private(set) var asked: [String] = []
    private(set) var heard: [String] = []

    init(_ answers: String...) { self.answers = answers }

    var isAtTerminal: Bool { true }

    func show(_ line: String) { heard.append(line) }

    func answer(_ prompt: String, isHidden: Bool) throws(LineError) -> Secret? {
        guard !answers.isEmpty else { return nil }
        asked.append(prompt)
        let octets = Array(answers.removeFirst().utf8)
        do { return try unsafe Secret(copying: octets.span.bytes) } catch { throw .outOfMemory }
    }
}
