// SPDX-License-Identifier: Apache-2.0
// The trust authority's mathematics: a share of the master secret, what is issued from it, and the sums of
// two shares. GET_SERVER_SECRET and the like are the names of Milagro's core.
package import Octets
import Pairing
package import Secrets

/// A share of the master secret: a scalar from 1 to r-1, 32 octets, big-endian.
public struct MasterShare: ~Copyable, Sendable {
    /// Store them only sealed.
    package let octets: Secret

    /// A new random share; throws `noRandomness` if the random generator fails.
    package static func random() throws(MPinError) -> MasterShare { try MasterShare(Scalar.random()) }

    /// Decodes exactly 32 octets, big-endian; throws `invalidScalar` unless the number is from 1 to r-1.
    package init(_ octets: consuming Secret) throws(MPinError) {
        _ = try Scalar(nonZero: octets)
        self.octets = octets
    }

    /// Calls `body` with the share's 32 octets. `body` must not copy them elsewhere.
    package borrowing func withOctets<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try octets.withBytes(body)
    }

    /// GET_SERVER_SECRET: s P2, 128 octets.
    package borrowing func serverSecretShare() throws(MPinError) -> Secret {
        try (Scalar(decoding: octets) * G2.generator).encodedSecret()
    }

    /// GET_CLIENT_SECRET: s A, 65 octets.
    package borrowing func clientSecretShare(of hash: IdentityHash) throws(MPinError) -> Secret {
        try (Scalar(decoding: octets) * identityPoint(hash)).affine.encodedSecret()
    }

    /// GET_CLIENT_PERMIT: s A_T, 65 octets, for a date in days since 1970-01-01. It is useless without the
    /// token and therefore not secret.
    package borrowing func timePermitShare(of hash: IdentityHash, date: UInt32) throws(MPinError) -> [UInt8] {
        try (Scalar(decoding: octets) * datedPoint(hash, date)).affine.encoded()
    }
}

/// RECOMBINE_G1 of two client secret shares: 65 octets.
package func clientSecret(
    _ share1: borrowing Secret, _ share2: borrowing Secret
) throws(MPinError) -> Secret {
    try (G1(decoding: share1) + G1(decoding: share2)).affine.encodedSecret()
}

/// RECOMBINE_G1 of two time permit shares: 65 octets.
package func timePermit(_ share1: [UInt8], _ share2: [UInt8]) throws(MPinError) -> [UInt8] {
    try (G1(decoding: share1) + G1(decoding: share2)).affine.encoded()
}

/// RECOMBINE_G2 of two server secret shares: 128 octets.
package func serverSecret(
    _ share1: borrowing Secret, _ share2: borrowing Secret
) throws(MPinError) -> Secret {
    try (G2(decoding: share1) + G2(decoding: share2)).encodedSecret()
}
