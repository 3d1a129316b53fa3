// SPDX-License-Identifier: Apache-2.0
// What a machine asks of a person and tells them; the words are MPinConsole's, the channel is the caller's.
package import Secrets

package enum Prompt: Equatable, Sendable {
    /// A PIN, hidden. The label is of root's file; nil in remote services, where the text depends on nobody.
    case pin(label: [UInt8]?)
    /// The approval code of a second device, hidden.
    case phone(PhonePrompt)
    /// The six digits of a second device, hidden.
    case otp
    /// A backup code alone, hidden.
    case backupCode
}

/// A session to be shown, and what may be typed beside its approval code.
package struct PhonePrompt: Equatable, Sendable {
    package struct Choices: Equatable, Sendable {
        package let pin: Bool
        /// Nothing but Enter, once a phone that shows no approval code has approved.
        package let enter: Bool
        /// `r`, for another session in the place of this one.
        package let newCode: Bool
    }
    /// 32 hex digits, as text.
    package let wid: [UInt8]
    /// Seven digits with a right checksum.
    package let number: [UInt8]
    /// 0 and less: it is over, and `r` brings another one.
    package let secondsLeft: Int
    package let takes: Choices

    init(_ session: PhoneSession, secondsLeft: Int, takes: Choices) {
        (wid, number) = (session.wid, session.number)
        self.secondsLeft = secondsLeft
        self.takes = takes
    }
}

package enum Notice: Equatable, Sendable {
    /// The last answer was a wrong PIN, and another try follows.
    case wrongPIN(triesLeft: UInt16?)
    /// The last answer was no PIN at all, and another try follows.
    case noPIN
    /// An approval code, and not that of this session.
    case wrongCode
    /// The third of these: the session is over, and a PIN is asked for alone.
    case codesUsedUp
    /// What was typed is no approval code, and nothing else is asked for.
    case noCode
    /// Six digits, and no one-time password that lives.
    case wrongOTP
    /// What was typed is no six digits.
    case noOTP
    /// Sixteen letters, and no unused backup code; another try follows.
    case wrongBackupCode
    /// What was typed is no backup code, and nothing else is asked for.
    case noBackupCode
    /// The server is of no help, and a backup code is asked for in its place.
    case unreachable
    /// The approval code is right, but the second device has not approved, or has denied.
    case notApproved
    /// The one line of remote services, whatever the reason; another try follows. It leaves no earlier than
    /// 2 s after the answer came, which is the conversation's to keep.
    case refused
}

package enum ConversationError: Error, Equatable {
    case failed
    case cancelled
}

package protocol Conversation: ~Copyable {
    /// The answer, octets as typed; empty if Enter alone was pressed.
    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret
    mutating func tell(_ notice: Notice) throws(ConversationError)
}
