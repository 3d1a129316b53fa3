// SPDX-License-Identifier: Apache-2.0
// Octets of a fixed number that mean one thing: two of different meaning cannot be swapped.

/// What names an identity everywhere ("id"): SHA-256 of the octets of its M-Pin ID.
package typealias IdentityHash = FixedOctets<32, IdentityMeaning>
/// What names a host's sealed question from then on ("a", seal.md): SHA-256 of its octets.
package typealias QuestionHash = FixedOctets<32, QuestionMeaning>
/// What makes a host's question one of its kind: seconds since 1970 (8 octets, big endian), then 24 random
/// octets.
package typealias QuestionNonce = FixedOctets<32, QuestionNonceMeaning>
/// mpind's part in a challenge ("n", seal.md): 32 random octets, new for each pass 1.
package typealias ServerNonce = FixedOctets<32, ServerNonceMeaning>
/// What pass 2 answers ("y"): a number below the group's order, big endian.
package typealias Challenge = FixedOctets<32, ChallengeMeaning>
/// What a proof is bound to ("X", seal.md): the hash of a question or of what a second device showed.
package typealias PurposeHash = FixedOctets<32, PurposeMeaning>

/// The hash of an mpinId.
package enum IdentityMeaning {}
/// The hash A of a host's question.
package enum QuestionMeaning {}
/// The nonce of a host's question.
package enum QuestionNonceMeaning {}
/// N of pass 1.
package enum ServerNonceMeaning {}
/// Y of pass 1.
package enum ChallengeMeaning {}
/// X of a proof.
package enum PurposeMeaning {}

/// `size` octets. `Meaning` is never made: it only keeps the octets of an identity's hash from being taken for
/// those of a question's.
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

    /// The octets that are all zero: in a sealed message they stand for "none".
    package static var zero: Self { Self(unchecked: [UInt8](repeating: 0, count: size)) }

    private init(unchecked octets: [UInt8]) { self.octets = octets }
}

/// Lower-case hexadecimal digits (ASCII), two for each octet.
package func hex<let size: Int, Meaning>(_ value: FixedOctets<size, Meaning>) -> [UInt8] {
    hex(value.octets)
}
