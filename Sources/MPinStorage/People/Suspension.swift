// SPDX-License-Identifier: Apache-2.0
// What keeps a user out for a time: an administrator's suspension, and the locks that wrong PINs cause.
package import Octets

/// While it lasts, all logins of a user are refused.
package struct Suspension: Equatable, Sendable {
    package let since: UnixMilliseconds
    /// Nil: until an administrator ends it.
    package let until: UnixMilliseconds?
    /// A note for administrators; may be empty.
    package let reason: String

    package init(since: UnixMilliseconds, until: UnixMilliseconds?, reason: String) {
        (self.since, self.until, self.reason) = (since, until, reason)
    }
}

/// The result of an administrator's suspension.
package enum SuspensionOutcome: Equatable, Sendable {
    case suspended(Suspension)
    /// By the database's clock, the end is in the past; nothing was changed.
    case over
    /// The user is revoked, and cannot log in anyway.
    case revoked
    /// There is no such user.
    case nobody
}

/// A lock on an identity: its tries from `place` are refused until the lock ends.
package struct LockRecord: Equatable, Sendable {
    package enum Scope: Equatable, Sendable {
        /// One source, including its host if it has one.
        case source(String)
        /// All sources, for a second device.
        case everywhere
        /// All strange sources of this kind.
        case strangers(TryOrigin.Kind)
    }

    package let id: IdentityHash
    package let place: Scope
    /// Nil: until an administrator unlocks.
    package let until: UnixMilliseconds?

    package init(id: IdentityHash, place: Scope, until: UnixMilliseconds?) {
        (self.id, self.place, self.until) = (id, place, until)
    }
}
