// SPDX-License-Identifier: Apache-2.0
// A console's session, which a second device approves: opened by a host's question, used once.
package import Octets

/// The session that a host's sealed question opens.
package struct SessionOpening: Equatable, Sendable {
    /// 32 hex digits.
    package let wid: String
    /// The access number, seven digits.
    package let number: String
    package let host: String
    /// The epoch of that host's key that fits the question's tag.
    package let hostEpoch: UInt32
    /// The source of the login, and its network: the host, with the address or the caller's uid that it saw.
    package let requester: Requester
    /// Hash of the question, 32 octets.
    package let a: QuestionHash
    /// The octets of the sealed question.
    package let questionOctets: [UInt8]
    /// How long the session lives, in milliseconds.
    package let life: UnixMilliseconds

    package init(
        wid: String, number: String, host: String, hostEpoch: UInt32, requester: Requester, a: QuestionHash,
        question: [UInt8], life: UnixMilliseconds
    ) {
        (self.wid, self.number, self.host, self.hostEpoch) = (wid, number, host, hostEpoch)
        self.requester = requester
        (self.a, self.questionOctets, self.life) = (a, question, life)
    }
}

/// The result of opening a session.
package enum SessionOpened: Equatable, Sendable {
    case opened(at: UnixMilliseconds)
    /// Another live session has this number; the caller must draw another.
    case numberTaken
    /// As many sessions live as may: of the source, of its network, of the host, or in all.
    case full
}

/// How a device names a session.
package enum SessionName: Equatable, Sendable {
    /// 32 hex digits.
    case wid(String)
    /// Seven digits.
    case number(String)
}

/// The state of a session; it only moves forward.
package enum SessionState: UInt8, Equatable, Sendable {
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
    package let wid: String
    package let host: String
    package let hostEpoch: UInt32
    package let a: QuestionHash
    package let questionOctets: [UInt8]
    package let openedAt: UnixMilliseconds
    package let expiresAt: UnixMilliseconds
    /// The database's clock when this was read.
    package let readAt: UnixMilliseconds
    package let state: SessionState
    /// The id of the identity that approved it.
    package let approvedBy: IdentityHash?

    package init(
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
package enum CountedLookUps: Equatable, Sendable {
    case all
    /// Only look-ups that find no session. For a device that sends a proof: it has looked the number up
    /// before.
    case misses
}

/// An approval of a session by a good proof.
package struct Approval: Equatable, Sendable {
    package let wid: String
    package let id: IdentityHash
    /// The source of the device's request.
    package let source: String
    /// The token with which the device can log out of the session.
    package let tokenHash: SessionTokenHash

    package init(wid: String, id: IdentityHash, source: String, tokenHash: SessionTokenHash) {
        (self.wid, self.id, self.source, self.tokenHash) = (wid, id, source, tokenHash)
    }
}

/// What a console learns about its session.
package struct Settlement: Equatable, Sendable {
    /// The session as it was before this call.
    package let session: SessionRecord
    /// The approver in its present state, if this very call used the approval up; nil grants nothing.
    package let approver: IdentityRecord?

    package init(session: SessionRecord, approver: IdentityRecord?) {
        self.session = session
        self.approver = approver
    }
}

extension SessionStorage {
    /// `settleSession` for an approval that makes no place known.
    package func settleSession(a: QuestionHash) async throws(StorageError) -> Settlement? {
        try await settleSession(a: a, learning: { _, _ in nil })
    }
}
