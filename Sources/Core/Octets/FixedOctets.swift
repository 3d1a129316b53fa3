// SPDX-License-Identifier: Apache-2.0
// Values with a fixed number of octets and one meaning each. The compiler refuses to exchange two of them.

/// The identity hash ("id"), which names an identity in every message: SHA-256 of the octets of its M-Pin ID.
package typealias IdentityHash = FixedOctets<32, IdentityMeaning>
/// The hash A of a host's sealed question, which names it in every later message (seal.md, section 3):
/// SHA-256 of its octets.
package typealias QuestionHash = FixedOctets<32, QuestionMeaning>
/// The nonce of a host's question: seconds since 1970-01-01 UTC (8 octets, big endian), then 24 random ones.
package typealias QuestionNonce = FixedOctets<32, QuestionNonceMeaning>
/// mpind's part of a challenge ("n", seal.md, section 4): random, new for each pass 1.
package typealias ServerNonce = FixedOctets<32, ServerNonceMeaning>
/// The challenge that pass 1 returns ("y"): a number below the order of the group, big endian.
package typealias Challenge = FixedOctets<32, ChallengeMeaning>
/// What a proof is bound to ("X", seal.md, section 4): the hash of a question or of the details that a second
/// device showed; all zero for a proof that is bound to nothing.
package typealias PurposeHash = FixedOctets<32, PurposeMeaning>
/// The hash of an activation code: SHA-256 of its letters.
package typealias OneTimeCodeHash = FixedOctets<32, OneTimeCodeMeaning>

/// The meaning of `IdentityHash`.
package enum IdentityMeaning {}
/// The meaning of `QuestionHash`.
package enum QuestionMeaning {}
/// The meaning of `QuestionNonce`.
package enum QuestionNonceMeaning {}
/// The meaning of `ServerNonce`.
package enum ServerNonceMeaning {}
/// The meaning of `Challenge`.
package enum ChallengeMeaning {}
/// The meaning of `PurposeHash`.
package enum PurposeMeaning {}
/// The meaning of `OneTimeCodeHash`.
package enum OneTimeCodeMeaning {}

/// `size` octets with a meaning. `Meaning` has no values: it exists only to make the types of two meanings
/// different.
package struct FixedOctets<let size: Int, Meaning>: Hashable, Sendable {
    /// The octets, `count` of them.
    package let octets: [UInt8]

    /// How many octets each value has.
    package static var count: Int { size }

    /// nil for another number of octets.
    package init?(_ octets: [UInt8]) {
        guard octets.count == size else { return nil }
        self.octets = octets
    }

    /// All octets zero: "none" in a sealed message.
    package static var zero: Self { Self(own: [UInt8](repeating: 0, count: size)) }

    /// The same octets with another meaning.
    package init<Other>(meaning other: FixedOctets<size, Other>) { octets = other.octets }

    /// A value from octets of this host's own, such as the result of a hash. Another number of octets is a
    /// programming error and traps.
    package init(own octets: [UInt8]) {
        precondition(octets.count == size)
        self.octets = octets
    }
}

/// Lower-case hexadecimal digits (ASCII), two for each octet.
package func hex<let size: Int, Meaning>(_ value: FixedOctets<size, Meaning>) -> [UInt8] {
    hex(value.octets)
}
