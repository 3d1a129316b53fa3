// SPDX-License-Identifier: Apache-2.0
// Login hosts, the epochs of their keys (the keys themselves are never here), and their one-time join codes.

package struct HostRecord: Equatable, Sendable {
    package let name: String
    /// The epochs whose keys answer, the newest first: the one in force, and for 7 days after a rotation the
    /// one before it.
    package let epochs: [UInt32]
    package let addedAt: UnixMilliseconds
    /// A join code is out and good until then.
    package let joinExpiresAt: UnixMilliseconds?

    package init(
        name: String, epochs: [UInt32], addedAt: UnixMilliseconds, joinExpiresAt: UnixMilliseconds?
    ) {
        self.name = name
        self.epochs = epochs
        self.addedAt = addedAt
        self.joinExpiresAt = joinExpiresAt
    }
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
