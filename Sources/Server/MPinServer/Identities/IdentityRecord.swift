// SPDX-License-Identifier: Apache-2.0
// Users (a userID, a name for people to read) and their identities (which log in).
import MPinDatabase
import Octets

/// Compares texts as storage does: octet by octet. Swift's == also accepts other encodings of the same
/// character.
func areSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

/// What an identity was registered for; set at registration and never changed.
enum IdentityKind: Equatable, Sendable {
    /// A PIN on one host.
    case host(HostEnrolment)
    /// A second device with our client: y is bound, and pass 2 carries n.
    case bound
    /// A Milagro client.
    case unbound
}

/// The host that asked for the registration, the epoch of the key that sealed its question, and the hash A
/// (32 octets) of that question. The key and A seal the shares.
struct HostEnrolment: Equatable, Sendable {
    let host: String
    let epoch: UInt32
    let a: QuestionHash
}

/// The properties of an identity that are fixed when it is registered.
struct IdentityDescription: Equatable, Sendable {
    /// SHA-256 of `mpinID`, 32 octets.
    let id: IdentityHash
    /// The exact octets of the `mpinId`, a JSON text.
    let mpinID: [UInt8]
    let userID: String
    let kind: IdentityKind
    /// The name of curve and hashing; "BN254CX" is Milagro's.
    let suite: String
    /// The epoch of the master secret that issues the client secret.
    let epoch: UInt32
    /// What the client says about itself and its user, for administrators to read; each may be empty.
    var deviceName: String = ""
    var userData: String = ""
}

/// An identity whose client secret was issued.
struct IdentityRecord: Equatable, Sendable {
    let description: IdentityDescription
    let issuedAt: UnixMilliseconds
    /// Set once and never cleared; pass 1, pass 2 and redemption each check it.
    let revokedAt: UnixMilliseconds?
    let lastLoginAt: UnixMilliseconds?
    /// Set after too many wrong PINs, until an administrator unlocks it.
    let blockedAt: UnixMilliseconds?
    /// The epoch of the device key of a bound identity; nil for other kinds.
    let deviceEpoch: UInt32?
    /// True if it was enrolled by a QR code, which a stranger may have scanned, and nobody has confirmed it
    /// yet. It can then only be bound to an account.
    let isUnconfirmed: Bool
    /// The address at which the client says that it receives messages; may be empty.
    let pushToken: String
    /// How many wrong PINs in a row block it; nil if they only lock it for a time.
    let blockAfter: Int64?
    /// Milagro's rule: wrong PINs from all sources are counted together, and there is no lock before the
    /// block.
    let countsTogether: Bool
    /// The source of the last login, including its host.
    let lastLoginFrom: String?
    /// The wrong tries since its last granted login; nil if there were none.
    let wrongTries: WrongTries?
    /// True if its user was suspended when this was read; always false if it is revoked. Pass 2 and
    /// redemption each check it.
    let isSuspended: Bool
    /// Whether it is revoked or suspended: then it lets nobody in and approves nothing.
    var isOut: Bool { revokedAt != nil || isSuspended }

    init(
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
struct UserRecord: Equatable, Sendable {
    let userID: String
    let addedAt: UnixMilliseconds
    /// When the user was revoked; nil if they were not, or if they were added again.
    let revokedAt: UnixMilliseconds?
    /// When the activation code expires; nil if there is no valid one.
    let codeExpiresAt: UnixMilliseconds?
    /// The suspension, if one is in force.
    var suspension: Suspension? = nil
    let identities: [IdentityRecord]
    /// The locks on identities that are not revoked, at most a hundred of them on sources; the one that ends
    /// last comes first.
    var locks: [LockRecord] = []
    /// The wrong tries of strange sources in the last 90 days, against identities that have any.
    var strangeTries: [IdentityHash: Int64] = [:]
}

/// The identities that a revocation covered.
struct Revocation: Equatable, Sendable {
    /// Every id of the subject, live or revoked before. The authority must learn all of them, and a repeated
    /// revocation sends them again.
    let ids: [IdentityHash]
    /// How many of them were live until now.
    let count: Int
}

/// The result of an unlocking.
enum Unlocking: Equatable, Sendable {
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
struct AccountStanding: Equatable, Sendable {
    let isRevoked: Bool
    /// True if none of the ids may log in now, but some may again when a suspension ends.
    var isSuspended: Bool = false
}

/// The subject of an administrator's command.
enum Subject: Equatable, Sendable {
    /// Every identity of this userID.
    case user(String)
    /// One identity, by its id.
    case identity(IdentityHash)
}

/// Wrong tries since the last granted login of an identity, from all sources; its owner is shown them.
struct WrongTries: Equatable, Sendable {
    let count: Int64
    let lastAt: UnixMilliseconds
    let lastSource: String
}

extension IdentityDescription {
    /// The host that this mpinId was registered at; nil for one that belongs to a device.
    var hostName: String? {
        switch kind {
        case .host(let enrolment): enrolment.host
        case .bound, .unbound: nil
        }
    }
}
