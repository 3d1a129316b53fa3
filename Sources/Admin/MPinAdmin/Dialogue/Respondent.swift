// SPDX-License-Identifier: Apache-2.0
// The user who runs a command: reads its lines and answers its questions, at the terminal or in a test.
import CPlatform
package import Secrets

/// The user who runs a command, or a test in their place.
package protocol Respondent {
    /// Whether there is a terminal on which to ask.
    var isAtTerminal: Bool { get }
    /// Shows a line that is not part of the command's output.
    func show(_ line: String)
    /// Answers one question with a line, which is echoed unless `isHidden`. Returns nil if there is no
    /// terminal.
    func answer(_ prompt: String, isHidden: Bool) throws(LineError) -> Secret?
}

/// The user at the controlling terminal of this process. Lines go to standard error.
package struct TerminalRespondent: Respondent {
    /// The user at the terminal, if there is one.
    package init() {}

    /// Whether this process has a terminal.
    package var isAtTerminal: Bool { Terminal() != nil }

    /// Writes a line to standard error.
    package func show(_ line: String) { writeToStandardError(line) }

    /// Asks on the terminal, even if standard input and output are redirected.
    package func answer(_ prompt: String, isHidden: Bool) throws(LineError) -> Secret? {
        guard let terminal = Terminal() else { return nil }
        return try terminal.ask(prompt, isHidden: isHidden)
    }
}

/// Writes a line to standard error.
package func writeToStandardError(_ line: String) {
    let octets = [UInt8](line.utf8) + [0x0a]
    _ = unsafe octets.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
