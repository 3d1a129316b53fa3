// SPDX-License-Identifier: Apache-2.0
// What the login machine asks and shows the user. MPinConsole has the texts; the caller provides the channel.
package import Secrets

/// A prompt for the user.
package enum Prompt: Equatable, Sendable {
    /// A PIN, hidden. The label comes from root's file; nil in remote services, where the text must not
    /// depend on the account.
    case pin(label: [UInt8]?)
    /// The approval code of a second device, hidden.
    case phone(PhonePrompt)
    /// The six digits of a second device, hidden.
    case otp
    /// A backup code and nothing else, hidden.
    case backupCode
}

/// A session to be shown, and what the user may type besides its approval code.
package struct PhonePrompt: Equatable, Sendable {
    /// The answers that are accepted besides the approval code.
    package struct Choices: Equatable, Sendable {
        package let pin: Bool
        /// Enter alone, once a phone that shows no approval code has approved.
        package let enter: Bool
        /// `r`, which replaces the session by a new one.
        package let newCode: Bool
    }
    /// 32 hex digits, as text.
    package let wid: [UInt8]
    /// Seven digits with a right checksum.
    package let number: [UInt8]
    /// 0 or less: the session has expired, and `r` opens a new one.
    package let secondsLeft: Int
    package let takes: Choices

    init(_ session: PhoneSession, secondsLeft: Int, takes: Choices) {
        (wid, number) = (session.wid, session.number)
        self.secondsLeft = secondsLeft
        self.takes = takes
    }
}

/// A message to the user between two tries.
package enum Notice: Equatable, Sendable {
    /// The last answer was a wrong PIN, and another try follows.
    case wrongPIN(triesLeft: UInt16?)
    /// The last answer cannot be a PIN, and another try follows.
    case noPIN
    /// The last answer was an approval code, but not that of this session.
    case wrongCode
    /// The third wrong approval code: the session is over, and the next prompt is for a PIN alone.
    case codesUsedUp
    /// The last answer cannot be an approval code, and nothing else is accepted.
    case noCode
    /// The last answer was six digits, but not a valid one-time password.
    case wrongOTP
    /// The last answer was not six digits.
    case noOTP
    /// The last answer was sixteen letters, but not an unused backup code; another try follows.
    case wrongBackupCode
    /// The last answer cannot be a backup code, and nothing else is accepted.
    case noBackupCode
    /// The server cannot be used, and the next prompt is for a backup code.
    case unreachable
    /// The approval code is right, but the second device has not approved, or has denied.
    case notApproved
    /// The only notice of remote services, whatever the reason; another try follows. The conversation must
    /// not send it earlier than 2 s after the answer came.
    case refused
}

package enum ConversationError: Error, Equatable {
    case failed
    case cancelled
}

/// The channel between a login and its user.
package protocol Conversation: ~Copyable {
    /// Shows the prompt and returns the answer, the octets as typed; empty if only Enter was pressed.
    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret
    mutating func tell(_ notice: Notice) throws(ConversationError)
}
