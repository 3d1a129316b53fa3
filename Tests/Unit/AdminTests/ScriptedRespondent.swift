// SPDX-License-Identifier: Apache-2.0
// Whoever runs a command in a test: types what the test says, and keeps what was asked and told.
import MPinAdmin
import Secrets

/// Answers one question after the other; when no answer is left, there is no terminal.
final class ScriptedRespondent: Respondent {
    private var answers: [String]
    private(set) var asked: [String] = []
    private(set) var heard: [String] = []

    init(_ answers: String...) { self.answers = answers }

    var isAtTerminal: Bool { true }

    func hear(_ line: String) { heard.append(line) }

    func answer(_ prompt: String, isHidden: Bool) throws(LineError) -> Secret? {
        guard !answers.isEmpty else { return nil }
        asked.append(prompt)
        let octets = Array(answers.removeFirst().utf8)
        do { return try unsafe Secret(copying: octets.span.bytes) } catch { throw .outOfMemory }
    }
}
