// SPDX-License-Identifier: Apache-2.0
// What a second device asks beside the questions of a login. It runs no relay, so no frame carries these.

package enum DeviceQuestion: Equatable, Sendable {
    /// Who wants to log in: the session by its 32 hex digits or its number.
    case look(wid: [UInt8])
    /// Somebody is about to answer for that session.
    case choose(wid: [UInt8], userID: [UInt8])
    /// Redeems a proof for its session, or refuses that session with it.
    case approve(ticket: [UInt8], denies: Bool)
}

package struct DeviceAnswer: Equatable, Sendable {
    /// An HTTP status, or one of the four of `Answer`.
    package let status: UInt16
    /// There at status 200 alone.
    package let body: Body?

    package init(status: UInt16, body: Body? = nil) {
        self.status = status
        self.body = body
    }

    package enum Body: Equatable, Sendable {
        /// `seen` as it is to be shown and proved, and the console's attempt id (8 octets); both empty where
        /// no console waits.
        case look(seen: [UInt8], attempt: [UInt8])
        case chosen
        /// The letters that the console waits for; empty where it was refused.
        case approved(code: [UInt8])
    }
}

package protocol DeviceTransport: ~Copyable, Transport {
    mutating func exchange(_ question: DeviceQuestion) throws(TransportError) -> DeviceAnswer
}
