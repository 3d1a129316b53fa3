// SPDX-License-Identifier: Apache-2.0
// Login hosts, their keys as the daemon sealed them, and their one-time join codes.

/// The key of one epoch of a host, random, as the daemon sealed it.
package struct HostKeyRecord: Equatable, Sendable {
    package let epoch: UInt32
    package let sealedKey: [UInt8]

    package init(epoch: UInt32, sealedKey: [UInt8]) {
        self.epoch = epoch
        self.sealedKey = sealedKey
    }
}

/// Seals a new key for the epoch that it will have; nil if that cannot be done.
package typealias HostKeySealing = @Sendable (_ epoch: UInt32) -> [UInt8]?

package struct HostRecord: Equatable, Sendable {
    package let name: String
    /// The keys that answer, the newest first: the one in force, and for 7 days after a rotation the one
    /// before it.
    package let keys: [HostKeyRecord]
    package let addedAt: UnixMilliseconds
    /// A join code is out and good until then.
    package let joinExpiresAt: UnixMilliseconds?

    package init(
        name: String, keys: [HostKeyRecord], addedAt: UnixMilliseconds, joinExpiresAt: UnixMilliseconds?
    ) {
        self.name = name
        self.keys = keys
        self.addedAt = addedAt
        self.joinExpiresAt = joinExpiresAt
    }

    package var epochs: [UInt32] { keys.map(\.epoch) }
}

/// What mpind keeps of a join code: its joinId (16 octets) and K_join as sealed by the daemon. Never the
/// code.
package struct JoinCodeRecord: Equatable, Sendable {
    package let joinID: [UInt8]
    package let sealedKey: [UInt8]

    package init(joinID: [UInt8], sealedKey: [UInt8]) {
        self.joinID = joinID
        self.sealedKey = sealedKey
    }
}

/// A join code that was used up: the host may have the key of this epoch.
package struct Join: Equatable, Sendable {
    package let epoch: UInt32
    package let sealedKey: [UInt8]

    package init(epoch: UInt32, sealedKey: [UInt8]) {
        self.epoch = epoch
        self.sealedKey = sealedKey
    }
}
