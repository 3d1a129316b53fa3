// SPDX-License-Identifier: Apache-2.0
// What a login leaves between its requests: pass 1, the count, the verdict, its one redemption.

/// What y is bound to: the X of pass 1.
package enum Binding: Equatable, Sendable {
    case nothing
    /// The hash A of a host's sealed question, 32 octets.
    case ask([UInt8])
    /// The same of a question whose service is `change-pin`, and the account that it names.
    case changePIN([UInt8], account: [UInt8])
    /// SHA-256 of what a second device showed its user, 32 octets, and the wid of the session which that was
    /// about; empty if it was about none.
    case seen([UInt8], session: String)
}

/// What a verdict is good for; it is not there for any other purpose.
package enum VerdictPurpose: Equatable, Sendable {
    /// A login that names no question and no session (WID "0" of a Milagro client, an authorization code).
    case login
    /// The host's question with this hash A, 32 octets.
    case ask([UInt8])
    /// One registration for the account at the host that asked so, and nothing else: the question's hash A,
    /// 32 octets.
    case changePIN([UInt8], account: [UInt8])
    /// A session: its wid, or whatever was named in its place if there was none.
    case session(String)
    /// An authorization code for the application's session with this wid.
    case application(String)
}

/// Whose a pass-1 record is.
package enum PassOneKey: Equatable, Sendable {
    /// Our clients: the n that was drawn for it, 32 octets. Every pass 1 has a record of its own.
    case n([UInt8])
    /// Milagro clients: the peer's address. One record for each id and source, the newest wins.
    case source(String)
}

/// A pass 1 that waits for its pass 2; unknown ids get one like any other.
package struct PassOneRecord: Equatable, Sendable {
    package let id: [UInt8]
    /// Under which wrong tries are counted: host and address, caller's uid, or the peer's address.
    package let source: String
    package let u: [UInt8]
    package let ut: [UInt8]
    package let y: [UInt8]
    package let binding: Binding
    /// The host whose sealed question came with it.
    package let host: String?
    /// The epoch of that host's key that fits the question's tag.
    package let hostEpoch: UInt32?
    package let origin: TryOrigin
    /// It came with a host's seal or a right device tag: no record without one displaces it.
    package let isTrusted: Bool

    package init(
        id: [UInt8], source: String, u: [UInt8], ut: [UInt8], y: [UInt8], binding: Binding, host: String?,
        hostEpoch: UInt32?, origin: TryOrigin, isTrusted: Bool = false
    ) {
        self.id = id
        self.source = source
        self.origin = origin
        self.isTrusted = isTrusted
        self.u = u
        self.ut = ut
        self.y = y
        self.binding = binding
        self.host = host
        self.hostEpoch = hostEpoch
    }
}

/// A pass 2 whose try has been counted and committed; only now may its proof be looked at.
package struct Verification: Equatable, Sendable {
    package let passOne: PassOneRecord
    /// Nil for an unknown id.
    package let mpin: MpinRecord?
    package let counting: TryCounting
    /// Not nil: the counters refuse this try for so many seconds, nothing was counted and the proof decides
    /// nothing.
    package let lockedSeconds: UInt32?
    /// Tries that remain if this one is wrong.
    package let triesLeft: UInt16
    /// The row of this try, which `finishVerification` takes away again if the proof is right.
    package let tryNumber: Int64?

    package init(
        passOne: PassOneRecord, mpin: MpinRecord?, counting: TryCounting, lockedSeconds: UInt32?,
        triesLeft: UInt16, tryNumber: Int64?
    ) {
        self.passOne = passOne
        self.mpin = mpin
        self.counting = counting
        self.lockedSeconds = lockedSeconds
        self.triesLeft = triesLeft
        self.tryNumber = tryNumber
    }
}

/// What pass 2 found; the numbers are those of the sealed answer.
package enum ProofResult: UInt8, Equatable, Sendable {
    case good = 0
    case wrong = 1
    case locked = 2
    case revoked = 3
    case secretExpired = 4
    /// Nothing was counted, and the proof decides nothing. A sealed answer has no number for it: it is told
    /// as `revoked`.
    case suspended = 255
}

/// What pass 2 leaves for the redemption.
package struct VerdictRecord: Equatable, Sendable {
    /// SHA-256 of the authOTT, 32 octets.
    package let authOTTHash: [UInt8]
    package let id: [UInt8]
    package let source: String
    package let result: ProofResult
    package let purpose: VerdictPurpose
    package let host: String?
    package let hostEpoch: UInt32?
    /// The one-time password that pass 2 showed, as sealed by the daemon; nil if none was asked for.
    package let otp: [UInt8]?
    /// The application that pass 2 named: a plain login makes an authorization code for that one alone.
    package let clientID: String?
    package let origin: TryOrigin
    package let counting: TryCounting
    /// As `Verification` has it; nil once the verdict was stored.
    package let tryNumber: Int64?

    package init(
        authOTTHash: [UInt8], id: [UInt8], source: String, result: ProofResult, purpose: VerdictPurpose,
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

/// Wrong tries since the last granted login of an identity, from all sources, to be told to its owner.
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

/// An authOTT's one redemption.
package struct Redemption: Equatable, Sendable {
    package let verdict: VerdictRecord
    /// As it stands now, `revokedAt` and `isSuspended` with it; nil for an unknown id.
    package let mpin: MpinRecord?
    package let tries: TryStanding
    /// After a good proof: what went wrong before it.
    package let wrongTries: WrongTries?
    /// Ids revoked because this login is the first of the mpinId that took their place.
    package let revoked: [[UInt8]]
    /// Its one-time password, which lives from now on: after a good plain login that asked for one.
    package let otp: LivingOTP?

    package init(
        verdict: VerdictRecord, mpin: MpinRecord?, tries: TryStanding, wrongTries: WrongTries?,
        revoked: [[UInt8]], otp: LivingOTP?
    ) {
        self.verdict = verdict
        self.mpin = mpin
        self.tries = tries
        self.wrongTries = wrongTries
        self.revoked = revoked
        self.otp = otp
    }
}

/// Tells the epoch of the device keys whose tag came with a pass 2, if one did.
package typealias DeviceTagCheck = @Sendable (PassOneRecord, MpinRecord) -> UInt32?

extension Storage {
    /// Where no device brings a tag.
    package func beginVerification(
        id: [UInt8], key: PassOneKey
    ) async throws(StorageError) -> Verification? {
        try await beginVerification(id: id, key: key, deviceEpoch: { _, _ in nil })
    }
}
