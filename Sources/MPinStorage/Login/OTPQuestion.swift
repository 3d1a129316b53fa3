// SPDX-License-Identifier: Apache-2.0
// One-time passwords: a login makes one, a host's question asks about it, and it is used up once.
package import Octets

/// The time during which a one-time password is valid: from the redemption of its login on.
package struct LivingOTP: Equatable, Sendable {
    package let from: UnixMilliseconds
    package let until: UnixMilliseconds

    package init(from: UnixMilliseconds, until: UnixMilliseconds) {
        self.from = from
        self.until = until
    }
}

/// A host's sealed question about the passwords of some identities.
package struct OTPQuestion: Equatable, Sendable {
    /// Hash of the question, 32 octets.
    package let a: QuestionHash
    package let ids: [IdentityHash]
    package let host: String
    /// The epoch of that host's key that fits the question's tag.
    package let hostEpoch: UInt32
    /// The source of the login: the host, with the address or the caller's uid that it saw.
    package let source: String
    /// How long the question is kept, in milliseconds.
    package let life: UnixMilliseconds

    package init(
        a: QuestionHash, ids: [IdentityHash], host: String, hostEpoch: UInt32, source: String,
        life: UnixMilliseconds
    ) {
        (self.a, self.ids, self.host, self.hostEpoch) = (a, ids, host, hostEpoch)
        (self.source, self.life) = (source, life)
    }
}

/// The result of a host's question about the one-time password of one id.
package struct OTPSettlement: Equatable, Sendable {
    package let host: String
    package let hostEpoch: UInt32
    package let source: String
    /// The identity in its present state; nil for an unknown id.
    package let identity: IdentityRecord?
    /// True if the right password was typed and still valid, and this call used it up.
    package let isUsed: Bool

    package init(host: String, hostEpoch: UInt32, source: String, identity: IdentityRecord?, isUsed: Bool) {
        (self.host, self.hostEpoch, self.source) = (host, hostEpoch, source)
        (self.identity, self.isUsed) = (identity, isUsed)
    }
}
