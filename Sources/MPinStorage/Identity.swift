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
    package let permits: Bool
    /// The name of curve and hashing, "BN254CX" for Milagro's.
    package let suite: String
    /// The epoch of the master secret that issues the client secret.
    package let epoch: UInt32

    package init(
        id: [UInt8], mpinID: [UInt8], userID: String, kind: MpinKind, permits: Bool, suite: String,
        epoch: UInt32
    ) {
        self.id = id
        self.mpinID = mpinID
        self.userID = userID
        self.kind = kind
        self.permits = permits
        self.suite = suite
        self.epoch = epoch
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

    package init(
        description: MpinDescription, issuedAt: UnixMilliseconds, revokedAt: UnixMilliseconds?,
        lastLoginAt: UnixMilliseconds?, blockedAt: UnixMilliseconds?, deviceEpoch: UInt32?,
        isUnconfirmed: Bool
    ) {
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
    package let mpins: [MpinRecord]

    package init(
        userID: String, addedAt: UnixMilliseconds, revokedAt: UnixMilliseconds?,
        codeExpiresAt: UnixMilliseconds?, mpins: [MpinRecord]
    ) {
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

/// How the account of some ids stands.
package struct AccountStanding: Equatable, Sendable {
    /// The userID of the first id that is known.
    package let userID: String?
    package let isRevoked: Bool

    package init(userID: String?, isRevoked: Bool) {
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
