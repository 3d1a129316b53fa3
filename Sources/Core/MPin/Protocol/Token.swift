// SPDX-License-Identifier: Apache-2.0
// The token that a client stores: the client secret minus the PIN's part.
import Octets
import Pairing
package import Secrets

/// A token, T = client secret - factor A: a point of G1, 65 octets.
public struct Token: ~Copyable, Sendable {
    /// Store them where only their owner can read them.
    package let octets: Secret

    /// Takes octets as they were stored; throws `invalidPoint` unless they are a point of G1.
    package init(_ octets: consuming Secret) throws(MPinError) {
        defer { clearStack() }
        try Token.check(octets)
        self.octets = octets
    }

    @inline(never)
    private static func check(_ octets: borrowing Secret) throws(MPinError) {
        _ = try G1(decoding: octets)
    }

    /// EXTRACT_FACTOR of Milagro's core: removes the factor (a scalar of 32 octets) from the client secret
    /// (65 octets), in constant time. Throws `invalidPoint`, `invalidScalar` or `infinity`.
    package init(
        clientSecret: borrowing Secret, mpinID: [UInt8], factor: borrowing Secret
    ) throws(MPinError) {
        defer { clearStack() }
        octets = try Token.difference(clientSecret, hash: identityHash(mpinID), factor: factor)
    }

    @inline(never)
    private static func difference(
        _ clientSecret: borrowing Secret, hash: IdentityHash, factor: borrowing Secret
    ) throws(MPinError) -> Secret {
        let identity = identityPoint(hash)
        let token = try G1(decoding: clientSecret) - Scalar(decoding: factor) * identity
        return try token.affine.encodedSecret()
    }

    /// Calls `body` with the token's 65 octets. `body` must not copy them elsewhere.
    package borrowing func withOctets<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try octets.withBytes(body)
    }
}
