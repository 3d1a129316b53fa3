// SPDX-License-Identifier: Apache-2.0
// The server's verdict, SERVER_1 and SERVER_2 of Milagro's core.
import Pairing
package import Secrets

/// The server secret, ready to verify. Immutable: tasks share one.
package final class Verifier: Sendable {
    private let generatorLines: PreparedG2
    private let secretLines: PreparedG2

    /// 128 octets of the second group; `invalidPoint` unless they lie in its subgroup of order r.
    package init(serverSecret: borrowing Secret) throws(MPinError) {
        let secret = try G2(decoding: serverSecret)
        do {
            generatorLines = try PreparedG2(.generator)
            secretLines = try PreparedG2(secret)
        } catch { throw .outOfMemory }
    }

    /// Whether e(P2, V) e(Q_s, W) = 1, with W = C + yD. With a date C is `ut` and D = A + A_T, and `u` must
    /// be a point but proves nothing; without one C is `u`, D = A and `ut` is not read. False is the result
    /// code -19. y, 32 octets, must have been drawn after C came, and serve once.
    package func verify(
        mpinID: [UInt8], date: UInt32?, u: [UInt8], ut: [UInt8], y: [UInt8], v: [UInt8]
    ) throws(MPinError) -> Bool {
        let challenge = try Scalar(nonZero: y)
        let answer = try G1(decoding: v)
        let hash = identityHash(mpinID)
        var base = try identityPoint(hash)
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
