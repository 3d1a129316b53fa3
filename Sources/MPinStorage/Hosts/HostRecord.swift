// SPDX-License-Identifier: Apache-2.0
// Login hosts, their keys as mpind sealed them, and their one-time join codes.

/// The random key of one epoch of a host, as mpind sealed it.
package struct HostKeyRecord: Hashable, Sendable {
    package let epoch: UInt32
    package let sealedKey: [UInt8]

    package init(epoch: UInt32, sealedKey: [UInt8]) {
        self.epoch = epoch
        self.sealedKey = sealedKey
    }
}

/// Makes and seals a new key for the given epoch; nil if that fails.
package typealias HostKeySealing = @Sendable (_ epoch: UInt32) -> [UInt8]?

/// A login host that has not been removed.
package struct HostRecord: Equatable, Sendable {
    package let name: String
    /// The accepted keys, newest first: the current one and, for 7 days after a rotation, the ones before it.
    package let keys: [HostKeyRecord]
    package let addedAt: UnixMilliseconds
    /// When the join code expires; nil if there is no valid one.
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

/// What mpind keeps of a join code: its joinId (16 octets) and K_join as sealed by mpind, but not the code.
package struct JoinCodeRecord: Equatable, Sendable {
    package let joinID: [UInt8]
    package let sealedKey: [UInt8]

    package init(joinID: [UInt8], sealedKey: [UInt8]) {
        self.joinID = joinID
        self.sealedKey = sealedKey
    }
}

/// A join code that was used up: the host may receive the key of this epoch.
package struct Join: Equatable, Sendable {
    package let epoch: UInt32
    package let sealedKey: [UInt8]

    package init(epoch: UInt32, sealedKey: [UInt8]) {
        self.epoch = epoch
        self.sealedKey = sealedKey
    }
}
