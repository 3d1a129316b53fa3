// SPDX-License-Identifier: Apache-2.0
// The verdict that pass 2 leaves, and its one redemption.
import MPinDatabase
import Octets

/// What a verdict may be redeemed for; it cannot be found for any other purpose.
enum VerdictPurpose: Equatable, Sendable {
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
enum ProofResult: UInt8, Equatable, Sendable {
    case good = 0
    case wrong = 1
    case locked = 2
    case revoked = 3
    case secretExpired = 4
    /// Nothing was counted, and the proof is ignored. A sealed answer has no value for it and says `revoked`.
    case suspended = 255
}

/// The verdict of pass 2 as it is kept until its redemption.
struct VerdictRecord: Equatable, Sendable {
    /// The ticket that redeems it.
    let authOTTHash: TicketHash
    let id: IdentityHash
    let source: String
    let result: ProofResult
    let purpose: VerdictPurpose
    let host: String?
    let hostEpoch: UInt32?
    /// The one-time password that pass 2 showed, as sealed by mpind; nil if none was requested.
    let otp: [UInt8]?
    /// The application that pass 2 named. A plain login makes an authorization code for that application
    /// only.
    let clientID: String?
    let origin: TryOrigin
    let counting: TryCounting
    /// As in `Verification`; nil when the verdict is read from the database.
    let tryNumber: Int64?

    init(
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

/// The one redemption of a ticket (authOTT).
struct Redemption: Equatable, Sendable {
    let verdict: VerdictRecord
    /// The identity in its present state, with `revokedAt` and `isSuspended`; nil for an unknown id.
    let identity: IdentityRecord?
    let tries: TryStanding
    /// After a good proof: the wrong tries before it.
    let wrongTries: WrongTries?
    /// Ids revoked because this login is the first of the identity that took their place.
    let revoked: [IdentityHash]
    /// The one-time password, valid from now on, after a good plain login that requested one.
    let otp: LivingOTP?
    /// The key that sealed the question, if its host still has it; nil without a question.
    let hostKey: HostKeyRecord?
}
