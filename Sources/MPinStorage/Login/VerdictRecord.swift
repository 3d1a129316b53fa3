// SPDX-License-Identifier: Apache-2.0
// The verdict that pass 2 leaves, and its one redemption.
package import Octets

/// What a verdict may be redeemed for; it cannot be found for any other purpose.
package enum VerdictPurpose: Equatable, Sendable {
    /// A login that names no question and no session (WID "0" of a Milagro client, an authorization code).
    case login
    /// The host's question with this hash A.
    case question(QuestionHash)
    /// One registration for this account at the host that asked, and nothing else. The first value is the
    /// question's hash A.
    case changePIN(QuestionHash, account: [UInt8])
    /// A session, by its wid, or by the text that the client sent in its place.
    case session(String)
    /// An authorization code for the application's session with this wid.
    case application(String)
}

/// The result of pass 2; the raw values are those of the sealed answer.
package enum ProofResult: UInt8, Equatable, Sendable {
    case good = 0
    case wrong = 1
    case locked = 2
    case revoked = 3
    case secretExpired = 4
    /// Nothing was counted, and the proof is ignored. A sealed answer has no value for it and says `revoked`.
    case suspended = 255
}

/// The verdict of pass 2 as it is kept until its redemption.
package struct VerdictRecord: Equatable, Sendable {
    /// The ticket that redeems it.
    package let authOTTHash: TicketHash
    package let id: IdentityHash
    package let source: String
    package let result: ProofResult
    package let purpose: VerdictPurpose
    package let host: String?
    package let hostEpoch: UInt32?
    /// The one-time password that pass 2 showed, as sealed by mpind; nil if none was requested.
    package let otp: [UInt8]?
    /// The application that pass 2 named. A plain login makes an authorization code for that application
    /// only.
    package let clientID: String?
    package let origin: TryOrigin
    package let counting: TryCounting
    /// As in `Verification`; nil when the verdict is read from the database.
    package let tryNumber: Int64?

    package init(
        authOTTHash: TicketHash, id: IdentityHash, source: String, result: ProofResult,
        purpose: VerdictPurpose,
        host: String?, hostEpoch: UInt32?, origin: TryOrigin, counting: TryCounting,
        tryNumber: Int64? = nil, otp: [UInt8]? = nil, clientID: String? = nil
    ) {
        self.origin = origin
        self.counting = counting
        self.tryNumber = tryNumber
        self.authOTTHash = authOTTHash
        self.id = id
        self.source = source
        self.result = result
        self.purpose = purpose
        self.host = host
        self.hostEpoch = hostEpoch
        self.otp = otp
        self.clientID = clientID
    }
}

/// Wrong tries since the last granted login of an identity, from all sources; its owner is shown them.
package struct WrongTries: Equatable, Sendable {
    package let count: Int64
    package let lastAt: UnixMilliseconds
    package let lastSource: String

    package init(count: Int64, lastAt: UnixMilliseconds, lastSource: String) {
        self.count = count
        self.lastAt = lastAt
        self.lastSource = lastSource
    }
}

/// The one redemption of a ticket (authOTT).
package struct Redemption: Equatable, Sendable {
    package let verdict: VerdictRecord
    /// The identity in its present state, with `revokedAt` and `isSuspended`; nil for an unknown id.
    package let identity: IdentityRecord?
    package let tries: TryStanding
    /// After a good proof: the wrong tries before it.
    package let wrongTries: WrongTries?
    /// Ids revoked because this login is the first of the identity that took their place.
    package let revoked: [IdentityHash]
    /// The one-time password, valid from now on, after a good plain login that requested one.
    package let otp: LivingOTP?
    /// The key that sealed the question, if its host still has it; nil without a question.
    package let hostKey: HostKeyRecord?

    package init(
        verdict: VerdictRecord, identity: IdentityRecord?, tries: TryStanding, wrongTries: WrongTries?,
        revoked: [IdentityHash], otp: LivingOTP?, hostKey: HostKeyRecord?
    ) {
        self.verdict = verdict
        self.identity = identity
        self.tries = tries
        self.wrongTries = wrongTries
        self.revoked = revoked
        self.otp = otp
        self.hostKey = hostKey
    }
}
