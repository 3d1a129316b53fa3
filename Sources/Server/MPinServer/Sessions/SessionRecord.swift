// SPDX-License-Identifier: Apache-2.0
// A console's session, which a second device approves: opened by a host's question, used once.
import MPinDatabase
import Octets

/// The session that a host's sealed question opens.
struct SessionOpening: Equatable, Sendable {
    /// 32 hex digits.
    let wid: String
    /// The access number, seven digits.
    let number: String
    let host: String
    /// The epoch of that host's key that fits the question's tag.
    let hostEpoch: UInt32
    /// The source of the login, and its network: the host, with the address or the caller's uid that it saw.
    let requester: Requester
    /// Hash of the question, 32 octets.
    let a: QuestionHash
    /// The octets of the sealed question.
    let questionOctets: [UInt8]
    /// How long the session lives, in milliseconds.
    let life: UnixMilliseconds
    /// The devices that find the session in their list of what waits.
    let devices: [IdentityHash]
    /// The source as these lists count it.
    let listedSource: String

    init(
        wid: String, number: String, host: String, hostEpoch: UInt32, requester: Requester, a: QuestionHash,
        question: [UInt8], life: UnixMilliseconds, devices: [IdentityHash] = [], listedSource: String = ""
    ) {
        (self.wid, self.number, self.host, self.hostEpoch) = (wid, number, host, hostEpoch)
        self.requester = requester
        (self.a, self.questionOctets, self.life) = (a, question, life)
        (self.devices, self.listedSource) = (devices, listedSource)
    }
}

/// A session in the list of what waits for a device.
struct ListedSession: Equatable, Sendable {
    let session: SessionRecord
    let number: String
}

/// The result of opening a session.
enum SessionOpened: Equatable, Sendable {
    case opened(at: UnixMilliseconds)
    /// Another live session has this number; the caller must draw another.
    case numberTaken
    /// As many sessions live as may: of the source, of its network, of the host, or in all.
    case full
}

/// How a device names a session.
enum SessionName: Equatable, Sendable {
    /// 32 hex digits.
    case wid(String)
    /// Seven digits.
    case number(String)
}

/// The state of a session; it only moves forward.
enum SessionState: UInt8, Equatable, Sendable {
    case open = 0
    /// A second device has approved it; the console has not asked yet.
    case approved = 1
    /// The console has received its one grant.
    case granted = 2
    case loggedOut = 3
    /// Refused by the device, given up by the console, or the approver was revoked or suspended before the
    /// grant.
    case ended = 4
    /// The host that was to bind a phone has confirmed that it did.
    case bound = 5
}

/// A console's session as the database has it.
package struct SessionRecord: Equatable, Sendable {
    let wid: String
    let host: String
    let hostEpoch: UInt32
    let a: QuestionHash
    let questionOctets: [UInt8]
    let openedAt: UnixMilliseconds
    let expiresAt: UnixMilliseconds
    /// The database's clock when this was read.
    let readAt: UnixMilliseconds
    let state: SessionState
    /// The id of the identity that approved it.
    let approvedBy: IdentityHash?

    init(
        wid: String, host: String, hostEpoch: UInt32, a: QuestionHash, question: [UInt8],
        openedAt: UnixMilliseconds, expiresAt: UnixMilliseconds, readAt: UnixMilliseconds,
        state: SessionState, approvedBy: IdentityHash?
    ) {
        (self.wid, self.host, self.hostEpoch) = (wid, host, hostEpoch)
        (self.a, questionOctets) = (a, question)
        (self.openedAt, self.expiresAt, self.readAt) = (openedAt, expiresAt, readAt)
        (self.state, self.approvedBy) = (state, approvedBy)
    }
}

/// Which look-ups of a number count against the requester.
enum CountedLookUps: Equatable, Sendable {
    case all
    /// Only look-ups that find no session. For a device that sends a proof: it has looked the number up
    /// before.
    case misses
}

/// An approval of a session by a good proof.
struct Approval: Equatable, Sendable {
    let wid: String
    let id: IdentityHash
    /// The source of the device's request.
    let source: String
    /// The token with which the device can log out of the session.
    let tokenHash: SessionTokenHash
}

/// What a console learns about its session.
struct Settlement: Equatable, Sendable {
    /// The session as it was before this call.
    let session: SessionRecord
    /// The approver in its present state, if this very call used the approval up; nil grants nothing.
    let approver: IdentityRecord?
}
