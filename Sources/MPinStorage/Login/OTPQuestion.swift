// SPDX-License-Identifier: Apache-2.0
// One-time passwords: made by a login, asked for by a host's question, used up once.

/// What a good login made: its password lives between these times.
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
    package let a: [UInt8]
    package let ids: [[UInt8]]
    package let host: String
    /// The epoch of that host's key that fits the question's tag.
    package let hostEpoch: UInt32
    /// Who wants in: the host, with the address or the caller's uid that it saw.
    package let source: String
    package let life: UnixMilliseconds

    package init(
        a: [UInt8], ids: [[UInt8]], host: String, hostEpoch: UInt32, source: String, life: UnixMilliseconds
    ) {
        (self.a, self.ids, self.host, self.hostEpoch) = (a, ids, host, hostEpoch)
        (self.source, self.life) = (source, life)
    }
}

/// What became of a question's claim that the password of one of its identities was typed.
package struct OTPSettlement: Equatable, Sendable {
    package let host: String
    package let hostEpoch: UInt32
    package let source: String
    /// As it stands now; nil for an unknown id.
    package let mpin: MpinRecord?
    /// The question brought the password, which lived, and this very call used it up.
    package let isUsed: Bool

    package init(host: String, hostEpoch: UInt32, source: String, mpin: MpinRecord?, isUsed: Bool) {
        (self.host, self.hostEpoch, self.source) = (host, hostEpoch, source)
        (self.mpin, self.isUsed) = (mpin, isUsed)
    }
}
