// SPDX-License-Identifier: Apache-2.0
// What a client keeps: its secret without the PIN.
import Pairing
package import Secrets

/// T = client secret - factor A: 65 octets of the first group.
public struct Token: ~Copyable, Sendable {
    /// To be stored where only its owner reads.
    package let octets: Secret

    /// Octets as they were stored; `invalidPoint` unless they are a point.
    package init(_ octets: consuming Secret) throws(MPinError) {
        defer { clearStack() }
        try Token.check(octets)
        self.octets = octets
    }

    @inline(never)
    private static func check(_ octets: borrowing Secret) throws(MPinError) {
        _ = try G1(decoding: octets)
    }

    /// EXTRACT_FACTOR: takes the factor (32 octets, a scalar) off the client secret (65 octets), in constant
    /// time.
    package init(
        clientSecret: borrowing Secret, mpinID: [UInt8], factor: borrowing Secret
    ) throws(MPinError) {
        defer { clearStack() }
        octets = try Token.difference(clientSecret, hash: identityHash(mpinID), factor: factor)
    }

    @inline(never)
    private static func difference(
        _ clientSecret: borrowing Secret, hash: [UInt8], factor: borrowing Secret
    ) throws(MPinError) -> Secret {
        let identity = try identityPoint(hash)
        let token = try G1(decoding: clientSecret) - Scalar(decoding: factor) * identity
        return try token.affine.encodedSecret()
    }

    /// Calls `body` with the token's 65 octets, which must not leave it.
    package borrowing func withOctets<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try octets.withBytes(body)
    }
}
