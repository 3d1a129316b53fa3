// SPDX-License-Identifier: Apache-2.0
// Login hosts, their keys as mpind sealed them, and their one-time join codes.
import MPinDatabase

/// Makes and seals a new key for the given epoch; nil if that fails.
typealias HostKeySealing = @Sendable (_ epoch: UInt32) -> [UInt8]?

/// A login host that has not been removed.
struct HostRecord: Equatable, Sendable {
    let name: String
    /// The accepted keys, newest first: the current one and, for 7 days after a rotation, the ones before it.
    let keys: [HostKeyRecord]
    let addedAt: UnixMilliseconds
    /// When the join code expires; nil if there is no valid one.
    let joinExpiresAt: UnixMilliseconds?

    var epochs: [UInt32] { keys.map(\.epoch) }
}

/// What mpind keeps of a join code: its joinId (16 octets) and K_join as sealed by mpind, but not the code.
struct JoinCodeRecord: Equatable, Sendable {
    let joinID: [UInt8]
    let sealedKey: [UInt8]
}

/// A join code that was used up: the host may receive the key of this epoch.
package struct Join: Equatable, Sendable {
    package let epoch: UInt32
    let sealedKey: [UInt8]
}
