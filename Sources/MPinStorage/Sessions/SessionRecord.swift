// SPDX-License-Identifier: Apache-2.0
// A console's session, which a second device approves: opened by a host's question, used once.

/// What a host's sealed question opens.
package struct SessionOpening: Equatable, Sendable {
    /// 32 hex digits.
    package let wid: String
    package let number: String
    package let host: String
    /// The epoch of that host's key that fits the question's tag.
    package let hostEpoch: UInt32
    /// Who began the login: the host, with the address or the caller's uid that it saw.
    package let source: String
    /// Hash of the question, 32 octets.
    package let a: [UInt8]
    /// The question as it was sealed.
    package let questionOctets: [UInt8]
    package let life: UnixMilliseconds

    package init(
        wid: String, number: String, host: String, hostEpoch: UInt32, source: String, a: [UInt8],
        question: [UInt8], life: UnixMilliseconds
    ) {
        (self.wid, self.number, self.host, self.hostEpoch) = (wid, number, host, hostEpoch)
        self.source = source
        (self.a, self.questionOctets, self.life) = (a, question, life)
    }
}

/// What became of it.
package enum SessionOpened: Equatable, Sendable {
    case opened(at: UnixMilliseconds)
    /// A live session has this number: draw another.
    case numberTaken
    /// The host, or whoever began this login there, has as many live sessions as it may.
    case full
}

/// How a device names a session.
package enum SessionName: Equatable, Sendable {
    /// 32 hex digits.
    case wid(String)
    /// Seven digits.
    case number(String)
}

/// Where a session stands; it moves forward only.
package enum SessionState: UInt8, Equatable, Sendable {
    case open = 0
    /// By a second device; the console has not asked yet.
    case approved = 1
    /// The console has had its yes, the one there is.
    case granted = 2
    case loggedOut = 3
    /// Refused, aborted, or revoked before it was granted.
    case ended = 4
}

package struct SessionRecord: Equatable, Sendable {
    package let wid: String
    package let host: String
    package let hostEpoch: UInt32
    package let a: [UInt8]
    package let questionOctets: [UInt8]
    package let openedAt: UnixMilliseconds
    package let expiresAt: UnixMilliseconds
    /// The database's clock when this was read.
    package let readAt: UnixMilliseconds
    package let state: SessionState
    package let approvedBy: [UInt8]?

    package init(
        wid: String, host: String, hostEpoch: UInt32, a: [UInt8], question: [UInt8],
        openedAt: UnixMilliseconds, expiresAt: UnixMilliseconds, readAt: UnixMilliseconds,
        state: SessionState, approvedBy: [UInt8]?
    ) {
        (self.wid, self.host, self.hostEpoch) = (wid, host, hostEpoch)
        (self.a, questionOctets) = (a, question)
        (self.openedAt, self.expiresAt, self.readAt) = (openedAt, expiresAt, readAt)
        (self.state, self.approvedBy) = (state, approvedBy)
    }
}

/// Which look-ups of a number count against whoever looks it up.
package enum CountedLookUps: Equatable, Sendable {
    case all
    /// Of whoever brings a proof, who was told before whose number it is: those of nobody's number.
    case misses
}

/// Who looks a number up: counted each for itself, and for its network. Either an address, or a device that
/// has shown which one it is.
package struct Seeker: Equatable, Sendable {
    package let source: String
    package let network: String

    package init(source: String, network: String) {
        self.source = source
        self.network = network
    }
}

/// A good proof for a session.
package struct Approval: Equatable, Sendable {
    package let wid: String
    package let id: [UInt8]
    /// Where the device is.
    package let source: String
    /// SHA-256 of the token that ends what is approved, 32 octets.
    package let tokenHash: [UInt8]

    package init(wid: String, id: [UInt8], source: String, tokenHash: [UInt8]) {
        (self.wid, self.id, self.source, self.tokenHash) = (wid, id, source, tokenHash)
    }
}

/// What a console is told of its session.
package struct Settlement: Equatable, Sendable {
    /// As it stood before.
    package let session: SessionRecord
    /// Who approved, as he stands now, if this very call used the approval up; nil grants nothing.
    package let approver: MpinRecord?

    package init(session: SessionRecord, approver: MpinRecord?) {
        self.session = session
        self.approver = approver
    }
}
