// SPDX-License-Identifier: Apache-2.0
// What keeps somebody out for a while: an administrator's suspension, and the locks that wrong PINs bring.

/// All logins of somebody are refused, and wake up again by themselves.
package struct Suspension: Equatable, Sendable {
    package let since: UnixMilliseconds
    /// Nil: until an administrator ends it.
    package let until: UnixMilliseconds?
    /// For administrators; may be empty.
    package let reason: String

    package init(since: UnixMilliseconds, until: UnixMilliseconds?, reason: String) {
        (self.since, self.until, self.reason) = (since, until, reason)
    }
}

/// What became of an administrator's suspension.
package enum SuspensionOutcome: Equatable, Sendable {
    case suspended(Suspension)
    /// By the database's clock its end has come already; nothing was changed.
    case over
    /// Who is revoked is out for good.
    case revoked
    /// Nobody has that name.
    case nobody
}

/// An identity's tries from somewhere are not looked at until the lock ends.
package struct LockRecord: Equatable, Sendable {
    package enum Scope: Equatable, Sendable {
        /// With its host, if it has one.
        case source(String)
        /// A second device's, wherever it is.
        case everywhere
        /// All sources from which nobody has logged in yet.
        case strangers(TryOrigin.Kind)
    }

    package let id: [UInt8]
    package let place: Scope
    /// Nil: until an administrator unlocks.
    package let until: UnixMilliseconds?

    package init(id: [UInt8], place: Scope, until: UnixMilliseconds?) {
        (self.id, self.place, self.until) = (id, place, until)
    }
}
