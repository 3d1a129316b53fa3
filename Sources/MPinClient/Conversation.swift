// SPDX-License-Identifier: Apache-2.0
// What a machine asks of a person and tells them; the words are MPinConsole's, the channel is the caller's.
package import Secrets

package enum Prompt: Equatable, Sendable {
    /// A PIN, hidden. The label is of root's file; nil in remote services, where the text depends on nobody.
    case pin(label: [UInt8]?)
}

package enum Notice: Equatable, Sendable {
    /// The last answer was a wrong PIN, and another try follows.
    case wrongPIN(triesLeft: UInt16?)
    /// The last answer was no PIN at all, and another try follows.
    case noPIN
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
