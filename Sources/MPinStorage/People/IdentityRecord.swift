// SPDX-License-Identifier: Apache-2.0
// Users (a userID, a name for people to read) and their identities (which log in).
package import Octets

/// Compares texts as storage does: octet by octet. Swift's == also accepts other encodings of the same
/// character.
package func areSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

/// What an identity was registered for; set at registration and never changed.
package enum IdentityKind: Equatable, Sendable {
    /// A PIN on one host.
    case host(HostEnrolment)
    /// A second device with our client: y is bound, and pass 2 carries n.
    case bound
    /// A Milagro client.
    case unbound
}

/// The host that asked for the registration, the epoch of the key that sealed its question, and the hash A
/// (32 octets) of that question. The key and A seal the shares.
package struct HostEnrolment: Equatable, Sendable {
    package let host: String
    package let epoch: UInt32
    package let a: QuestionHash

    package init(host: String, epoch: UInt32, a: QuestionHash) {
        self.host = host
        self.epoch = epoch
        self.a = a
    }
}

/// The properties of an identity that are fixed when it is registered.
package struct IdentityDescription: Equatable, Sendable {
    /// SHA-256 of `mpinID`, 32 octets.
    package let id: IdentityHash
    /// The exact octets of the `mpinId`, a JSON text.
    package let mpinID: [UInt8]
    package let userID: String
    package let kind: IdentityKind
    /// The name of curve and hashing; "BN254CX" is Milagro's.
    package let suite: String
    /// The epoch of the master secret that issues the client secret.
    package let epoch: UInt32
    /// What the client says about itself and its user, for administrators to read; each may be empty.
    package let deviceName: String
    package let userData: String

    package init(
        id: IdentityHash, mpinID: [UInt8], userID: String, kind: IdentityKind, suite: String, epoch: UInt32,
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

/// An identity whose client secret was issued.
package struct IdentityRecord: Equatable, Sendable {
    package let description: IdentityDescription
    package let issuedAt: UnixMilliseconds
    /// Set once and never cleared; pass 1, pass 2 and redemption each check it.
    package let revokedAt: UnixMilliseconds?
    package let lastLoginAt: UnixMilliseconds?
    /// Set after too many wrong PINs, until an administrator unlocks it.
    package let blockedAt: UnixMilliseconds?
    /// The epoch of the device key of a bound identity; nil for other kinds.
    package let deviceEpoch: UInt32?
    /// True if it was enrolled by a QR code, which a stranger may have scanned, and nobody has confirmed it
    /// yet. It can then only be bound to an account.
    package let isUnconfirmed: Bool
    /// The address at which the client says that it receives messages; may be empty.
    package let pushToken: String
    /// How many wrong PINs in a row block it; nil if they only lock it for a time.
    package let blockAfter: Int64?
    /// Milagro's rule: wrong PINs from all sources are counted together, and there is no lock before the
    /// block.
    package let countsTogether: Bool
    /// The source of the last login, including its host.
    package let lastLoginFrom: String?
    /// The wrong tries since its last granted login; nil if there were none.
    package let wrongTries: WrongTries?
    /// True if its user was suspended when this was read; always false if it is revoked. Pass 2 and
    /// redemption each check it.
    package let isSuspended: Bool
    /// Whether it is revoked or suspended: then it lets nobody in and approves nothing.
    package var isOut: Bool { revokedAt != nil || isSuspended }

    package init(
        description: IdentityDescription, issuedAt: UnixMilliseconds, revokedAt: UnixMilliseconds?,
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

/// A user as administrators see them.
package struct UserRecord: Equatable, Sendable {
    package let userID: String
    package let addedAt: UnixMilliseconds
    /// When the user was revoked; nil if they were not, or if they were added again.
    package let revokedAt: UnixMilliseconds?
    /// When the activation code expires; nil if there is no valid one.
    package let codeExpiresAt: UnixMilliseconds?
    /// The suspension, if one is in force.
    package let suspension: Suspension?
    package let identities: [IdentityRecord]
    /// The locks on identities that are not revoked, at most a hundred of them on sources; the one that ends
    /// last comes first.
    package let locks: [LockRecord]
    /// The wrong tries of strange sources in the last 90 days, against identities that have any.
    package let strangeTries: [IdentityHash: Int64]

    package init(
        userID: String, addedAt: UnixMilliseconds, revokedAt: UnixMilliseconds?,
        codeExpiresAt: UnixMilliseconds?, suspension: Suspension? = nil, identities: [IdentityRecord],
        locks: [LockRecord] = [], strangeTries: [IdentityHash: Int64] = [:]
    ) {
        self.suspension = suspension
        (self.locks, self.strangeTries) = (locks, strangeTries)
        self.userID = userID
        self.addedAt = addedAt
        self.revokedAt = revokedAt
        self.codeExpiresAt = codeExpiresAt
        self.identities = identities
    }
}

/// The identities that a revocation covered.
package struct Revocation: Equatable, Sendable {
    /// Every id of the subject, live or revoked before. The authority must learn all of them, and a repeated
    /// revocation sends them again.
    package let ids: [IdentityHash]
    /// How many of them were live until now.
    package let count: Int

    package init(ids: [IdentityHash], count: Int) {
        self.ids = ids
        self.count = count
    }
}

/// The result of an unlocking.
package enum Unlocking: Equatable, Sendable {
    /// There is no such subject.
    case nobody
    /// It is revoked for good; only a new enrolment helps.
    case revoked
    /// Nothing was locked, and no wrong try was counted.
    case open
    /// Nothing was locked, but wrong tries were counted.
    case forgotten
    /// Something was locked or blocked.
    case unlocked
}

/// The state of the account that some ids belong to.
package struct AccountStanding: Equatable, Sendable {
    package let isRevoked: Bool
    /// True if none of the ids may log in now, but some may again when a suspension ends.
    package let isSuspended: Bool

    package init(isRevoked: Bool, isSuspended: Bool = false) {
        self.isSuspended = isSuspended
        self.isRevoked = isRevoked
    }
}

/// The subject of an administrator's command.
package enum Subject: Equatable, Sendable {
    /// Every identity of this userID.
    case user(String)
    /// One identity, by its id.
    case identity(IdentityHash)
}
