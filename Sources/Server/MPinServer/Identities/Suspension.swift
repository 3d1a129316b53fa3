// SPDX-License-Identifier: Apache-2.0
// What keeps a user out for a time: an administrator's suspension, and the locks that wrong PINs cause.
import MPinDatabase
import Octets

/// While it lasts, all logins of a user are refused.
struct Suspension: Equatable, Sendable {
    let since: UnixMilliseconds
    /// Nil: until an administrator ends it.
    let until: UnixMilliseconds?
    /// A note for administrators; may be empty.
    let reason: String
}

/// The result of an administrator's suspension.
enum SuspensionOutcome: Equatable, Sendable {
    case suspended(Suspension)
    /// By the database's clock, the end is in the past; nothing was changed.
    case over
    /// The user is revoked, and cannot log in anyway.
    case revoked
    /// There is no such user.
    case nobody
}

/// A lock on an identity: its tries from `place` are refused until the lock ends.
struct LockRecord: Equatable, Sendable {
    enum Scope: Equatable, Sendable {
        /// One source, including its host if it has one.
        case source(String)
        /// All sources, for a second device.
        case everywhere
        /// All strange sources of this kind.
        case strangers(TryOrigin.Kind)
    }

    let id: IdentityHash
    let place: Scope
    /// Nil: until an administrator unlocks.
    let until: UnixMilliseconds?
}
