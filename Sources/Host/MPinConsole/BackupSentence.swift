// SPDX-License-Identifier: Apache-2.0
// Every sentence about backup codes: the prompt, what was wrong, and how many codes are left.
import Octets

package enum BackupSentence: Equatable, Sendable {
    /// The prompt where only a backup code is accepted; in remote services it begins with a newline, as
    /// `Sentence.askPINFromAfar` does.
    case ask, askFromAfar
    /// What was typed has sixteen letters, but is not an unused code of the account.
    case wrong
    /// What was typed does not have sixteen letters, and nothing else is accepted.
    case none
    /// The server cannot be used, so the next prompt is for a backup code.
    case instead
    /// The code that was typed is used up; how many others are left.
    case left(Int)

    /// The sentence as ASCII octets, without a newline at its end.
    package var octets: [UInt8] {
        switch self {
        case .ask: ascii("Backup code: ")
        case .askFromAfar: ascii("\nM-Pin backup code: ")
        case .wrong: ascii("Wrong backup code.")
        case .none: ascii("A backup code has sixteen letters.")
        case .instead: ascii("The M-Pin server cannot help now. Use a backup code, or try again later.")
        case .left(let count) where count < 1:
            ascii("That was your last backup code. Ask the administrator for new ones.")
        case .left(let count):
            ascii("You have used a backup code. Backup codes left: ") + decimal(count) + ascii(".")
        }
    }
}
