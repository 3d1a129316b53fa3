// SPDX-License-Identifier: Apache-2.0
// The client's two passes, CLIENT_1 and CLIENT_2 of Milagro's core.
package import Octets
import Pairing
package import Secrets

/// A proof between its two passes. x is drawn with U and used to answer only one challenge: two answers with
/// the same x would reveal the client secret, so `answer` consumes this value.
public struct PassOne: ~Copyable, Sendable {
    /// x A, 65 octets.
    package let u: [UInt8]
    /// x (A + A_T), 65 octets; empty without a time permit.
    package let ut: [UInt8]
    private let x: Secret
    /// The client secret (token plus the factor's part), plus the time permit if there is one.
    private let sum: Secret

    /// Draws x and computes U and UT. `factor` is a scalar of 32 octets; a permit has 65 octets and a date in
    /// days since 1970-01-01. Without a permit the proof has no date (date 0 in Milagro's cores).
    package init(
        mpinID: [UInt8], token: borrowing Token, factor: borrowing Secret,
        permit: (date: UInt32, octets: [UInt8])?
    ) throws(MPinError) {
        try self.init(
            mpinID: mpinID, token: token, factor: factor, permit: permit, x: Scalar.random())
    }

    /// The same with a given x, a scalar from 1 to r-1 of 32 octets, for test vectors.
    package init(
        mpinID: [UInt8], token: borrowing Token, factor: borrowing Secret,
        permit: (date: UInt32, octets: [UInt8])?, x: consuming Secret
    ) throws(MPinError) {
        defer { clearStack() }
        try self.init(multiplying: x, mpinID: mpinID, token: token, factor: factor, permit: permit)
    }

    @inline(never)
    private init(
        multiplying x: consuming Secret, mpinID: [UInt8], token: borrowing Token,
        factor: borrowing Secret, permit: (date: UInt32, octets: [UInt8])?
    ) throws(MPinError) {
        let scalar = try Scalar(nonZero: x)
        let hash = identityHash(mpinID)
        let identity = identityPoint(hash)
        var sum = try G1(decoding: token.octets) + Scalar(decoding: factor) * identity
        let plain = scalar * identity
        var dated = plain
        if let permit {
            sum = try sum + G1(decoding: permit.octets)
            dated = try scalar * (identity + datedPoint(hash, permit.date))
        }
        let affine = G1.affine([plain, dated, sum])
        let plainOctets = try affine[0].encoded()
        let datedOctets = try permit == nil ? [] : affine[1].encoded()
        self.sum = try affine[2].encodedSecret()
        u = plainOctets
        ut = datedOctets
        self.x = x
    }

    /// V, 65 octets: -(x + y) times the sum. y is a scalar from 1 to r-1 of 32 octets; otherwise throws
    /// `invalidScalar`. Throws `infinity` for y = -x.
    package consuming func answer(y: Challenge) throws(MPinError) -> [UInt8] {
        defer { clearStack() }
        return try product(y)
    }

    @inline(never)
    private borrowing func product(_ y: Challenge) throws(MPinError) -> [UInt8] {
        let multiplier = try -(Scalar(decoding: x) + Scalar(nonZero: y.octets))
        return try (multiplier * G1(decoding: sum)).affine.encoded()
    }
}
