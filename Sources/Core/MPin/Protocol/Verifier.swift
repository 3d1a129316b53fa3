// SPDX-License-Identifier: Apache-2.0
// The server's verification of a proof, SERVER_1 and SERVER_2 of Milagro's core.
package import Octets
import Pairing
package import Secrets

/// The server secret, prepared to verify proofs. It is immutable, so tasks share one.
package final class Verifier: Sendable {
    private let generatorLines: PreparedG2
    private let secretLines: PreparedG2

    /// Takes the server secret, 128 octets; throws `invalidPoint` unless they are a point of G2.
    package init(serverSecret: borrowing Secret) throws(MPinError) {
        let secret = try G2(decoding: serverSecret)
        do {
            generatorLines = try PreparedG2(.generator)
            secretLines = try PreparedG2(secret)
        } catch { throw .outOfMemory }
    }

    /// Whether e(P2, V) e(Q_s, W) = 1, with W = C + yD. With a date, C is `ut`, D is A + A_T, and `u` must be
    /// a point but proves nothing. Without a date, C is `u`, D is A, and `ut` is not read. False corresponds
    /// to Milagro's result code -19. Throws `invalidPoint`, `invalidScalar` or `infinity` for invalid input.
    /// y has 32 octets; it must be made after C was received, and be used only once.
    package func verify(
        mpinID: [UInt8], date: UInt32?, u: [UInt8], ut: [UInt8], y: Challenge, v: [UInt8]
    ) throws(MPinError) -> Bool {
        let challenge = try Scalar(nonZero: y.octets)
        let answer = try G1(decoding: v)
        let hash = identityHash(mpinID)
        var base = identityPoint(hash)
        var commitment = try G1(decoding: u)
        if let date {
            base = try base + datedPoint(hash, date)
            commitment = try G1(decoding: ut)
        }
        let w = commitment + challenge * base
        guard let value = pairingProduct(generatorLines, answer, secretLines, w) else { throw .infinity }
        return value.isOne
    }
}
