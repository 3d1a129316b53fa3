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
        _ = try G1(decoding: octets)
        self.octets = octets
    }

    /// EXTRACT_FACTOR: takes the factor (32 octets, a scalar) off the client secret (65 octets), in constant time.
    package init(
        clientSecret: borrowing Secret, mpinID: [UInt8], factor: borrowing Secret
    ) throws(MPinError) {
        let identity = try identityPoint(identityHash(mpinID))
        let token = try G1(decoding: clientSecret) - Scalar(decoding: factor) * identity
        octets = try token.affine.encodedSecret()
    }

    package borrowing func withOctets<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try octets.withBytes(body)
    }
}
