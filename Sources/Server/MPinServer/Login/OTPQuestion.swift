// SPDX-License-Identifier: Apache-2.0
// One-time passwords: a login makes one, a host's question asks about it, and it is used up once.
import MPinDatabase
import Octets

/// The time during which a one-time password is valid: from the redemption of its login on.
struct LivingOTP: Equatable, Sendable {
    let from: UnixMilliseconds
    let until: UnixMilliseconds
}

/// A host's sealed question about the passwords of some identities.
struct OTPQuestion: Equatable, Sendable {
    /// Hash of the question, 32 octets.
    let a: QuestionHash
    let ids: [IdentityHash]
    let host: String
    /// The epoch of that host's key that fits the question's tag.
    let hostEpoch: UInt32
    /// The source of the login: the host, with the address or the caller's uid that it saw.
    let source: String
    /// How long the question is kept, in milliseconds.
    let life: UnixMilliseconds
}

/// The result of a host's question about the one-time password of one id.
struct OTPSettlement: Equatable, Sendable {
    let host: String
    let hostEpoch: UInt32
    let source: String
    /// The identity in its present state; nil for an unknown id.
    let identity: IdentityRecord?
    /// True if the right password was typed and still valid, and this call used it up.
    let isUsed: Bool
}
