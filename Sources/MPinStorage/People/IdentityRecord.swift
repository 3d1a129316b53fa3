// SPDX-License-Identifier: Apache-2.0
// Who is known: identities (a userID, a label for people) and their live mpinIds (what logs in).

/// Texts as storage compares them: octet by octet, where Swift's == knows other spellings of one sign.
package func areSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

/// For whom an mpinId was registered; written at registration and never changed.
package enum MpinKind: Equatable, Sendable {
    /// For a PIN on one host.
    case host(HostEnrolment)
    /// For a device of its own, by our client: y is bound, pass 2 carries n.
    case bound
    /// By a Milagro client.
    case unbound
}

/// The host that asked for the registration, the epoch of the key that sealed its question, and the hash A
/// (32 octets) of that question: key and A seal the shares.
package struct HostEnrolment: Equatable, Sendable {
    package let host: String
    package let epoch: UInt32
    package let a: [UInt8]

    package init(host: String, epoch: UInt32, a: [UInt8]) {
        self.host = host
        self.epoch = epoch
        self.a = a
    }
}

/// What is fixed about an mpinId when it is registered.
package struct MpinDescription: Equatable, Sendable {
    /// SHA-256 of `mpinID`, 32 octets.
    package let id: [UInt8]
    /// The exact octets that are the cryptographic identity.
    package let mpinID: [UInt8]
    package let userID: String
    package let kind: MpinKind
    /// The name of curve and hashing, "BN254CX" for Milagro's.
    package let suite: String
    /// The epoch of the master secret that issues the client secret.
    package let epoch: UInt32
    /// What the client says of itself and of its user, for an administrator to read; each may be empty.
    package let deviceName: String
    package let userData: String

    package init(
        id: [UInt8], mpinID: [UInt8], userID: String, kind: MpinKind, suite: String, epoch: UInt32,
        deviceName: String = "", userData: String = ""
    ) {
        self.id = id
        self.mpinID = mpinID
        self.userID = userID
        self.kind = kind
        self.suite = suite
        self.epoch = epoch
        self.deviceName = deviceName
        self.userData = userData
    }
}

/// An mpinId whose client secret was issued.
package struct MpinRecord: Equatable, Sendable {
    package let description: MpinDescription
    package let issuedAt: UnixMilliseconds
    /// Set once and for ever; pass 1, pass 2 and redemption each look here.
    package let revokedAt: UnixMilliseconds?
    package let lastLoginAt: UnixMilliseconds?
    /// After too many wrong PINs, until an administrator unlocks it.
    package let blockedAt: UnixMilliseconds?
    /// Whose device key a bound mpinId has; nil for others.
    package let deviceEpoch: UInt32?
    /// Enrolled by a picture that a stranger may have scanned, and confirmed by nobody yet: it can be bound
    /// to an account, and nothing else.
    package let isUnconfirmed: Bool
    /// Where the client says that messages reach it; may be empty.
    package let pushToken: String
    /// So many wrong PINs in a row block it; nil where they lock it for a while alone.
    package let blockAfter: Int64?
    /// Milagro's rule: wrong PINs of all sources are counted together, and bring no lock before the block.
    package let countsTogether: Bool
    /// The source of the last login, with its host.
    package let lastLoginFrom: String?
    /// Since its last granted login.
    package let wrongTries: WrongTries?
    /// Its user was suspended when this was read; never where it is revoked itself. Pass 2 and redemption
    /// each look here.
    package let isSuspended: Bool

    package init(
        description: MpinDescription, issuedAt: UnixMilliseconds, revokedAt: UnixMilliseconds?,
        lastLoginAt: UnixMilliseconds?, blockedAt: UnixMilliseconds?, deviceEpoch: UInt32?,
        isUnconfirmed: Bool, pushToken: String = "", blockAfter: Int64? = nil, countsTogether: Bool = false,
        lastLoginFrom: String? = nil, wrongTries: WrongTries? = nil, isSuspended: Bool = false
    ) {
        self.lastLoginFrom = lastLoginFrom
        self.wrongTries = wrongTries
        self.isSuspended = isSuspended && revokedAt == nil
        self.countsTogether = countsTogether
        self.pushToken = pushToken
        self.blockAfter = blockAfter
        self.isUnconfirmed = isUnconfirmed
        self.deviceEpoch = deviceEpoch
        self.description = description
        self.issuedAt = issuedAt
        self.revokedAt = revokedAt
        self.lastLoginAt = lastLoginAt
        self.blockedAt = blockedAt
    }
}

/// An identity as the administrator sees it.
package struct IdentityRecord: Equatable, Sendable {
    package let userID: String
    package let addedAt: UnixMilliseconds
    /// The identity was revoked and has not been added again.
    package let revokedAt: UnixMilliseconds?
    /// An activation code is out and good until then.
    package let codeExpiresAt: UnixMilliseconds?
    /// One that has not ended.
    package let suspension: Suspension?
    package let mpins: [MpinRecord]
    /// Of those that are not revoked, a hundred at most of their sources'; the last to end comes first.
    package let locks: [LockRecord]

    package init(
        userID: String, addedAt: UnixMilliseconds, revokedAt: UnixMilliseconds?,
        codeExpiresAt: UnixMilliseconds?, suspension: Suspension? = nil, mpins: [MpinRecord],
        locks: [LockRecord] = []
    ) {
        self.suspension = suspension
        self.locks = locks
        self.userID = userID
        self.addedAt = addedAt
        self.revokedAt = revokedAt
        self.codeExpiresAt = codeExpiresAt
        self.mpins = mpins
    }
}

/// What a revocation reached.
package struct Revocation: Equatable, Sendable {
    /// Every id of the subject, live or revoked before: the authority wants to know them all, and whoever
    /// revokes once more gives them to it once more.
    package let ids: [[UInt8]]
    /// How many of them were live till now.
    package let count: Int

    package init(ids: [[UInt8]], count: Int) {
        self.ids = ids
        self.count = count
    }
}

/// What an unlocking found.
package enum Unlocking: Equatable, Sendable {
    case nobody
    /// For good: only a new enrolment lets in again.
    case revoked
    /// Nothing was locked, and no wrong try was counted.
    case open
    /// Nothing was locked, but wrong tries were counted.
    case forgotten
    case unlocked
}

/// How the account of some ids stands.
package struct AccountStanding: Equatable, Sendable {
    /// The userID of the first id that is known.
    package let userID: String?
    package let isRevoked: Bool
    /// Nobody of it may log in, and somebody may again when a suspension ends.
    package let isSuspended: Bool

    package init(userID: String?, isRevoked: Bool, isSuspended: Bool = false) {
        self.isSuspended = isSuspended
        self.userID = userID
        self.isRevoked = isRevoked
    }
}

/// Whom an administrator means.
package enum Subject: Equatable, Sendable {
    /// Every mpinId of this userID.
    case identity(String)
    /// One mpinId, by its id.
    case mpin([UInt8])
}
