// SPDX-License-Identifier: Apache-2.0
// Whoever runs a command: hears lines and answers questions; the person at the terminal, or one of a test.
import CPlatform
package import Secrets

/// Whoever runs a command.
package protocol Respondent {
    /// Whether there is a terminal to ask on.
    var isAtTerminal: Bool { get }
    /// Takes a line that stands beside the command's output.
    func hear(_ line: String)
    /// Answers one question with a line, which shows or is hidden; nil: there is no terminal.
    func answer(_ prompt: String, isHidden: Bool) throws(LineError) -> Secret?
}

/// The person at the terminal that holds this process; lines go to standard error.
package struct TerminalRespondent: Respondent {
    /// The person who is there now, if one is.
    package init() {}

    /// Whether this process has a terminal.
    package var isAtTerminal: Bool { Terminal.isThere }

    /// Writes a line to standard error.
    package func hear(_ line: String) { say(line) }

    /// Asks on the terminal, whatever input and output are.
    package func answer(_ prompt: String, isHidden: Bool) throws(LineError) -> Secret? {
        guard let terminal = Terminal() else { return nil }
        return try isHidden ? terminal.askHidden(prompt) : terminal.ask(prompt)
    }
}

/// Writes a line to standard error.
package func say(_ line: String) {
    let octets = [UInt8](line.utf8) + [0x0a]
    _ = unsafe octets.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
