// SPDX-License-Identifier: Apache-2.0
// The PIN error that E and F of SERVER_2 reveal. Our server never computes them; the vectors contain them.
import Octets
import Pairing
import Testing

struct PINError {
    let e: GT
    let f: GT

    /// E = e(P2, V) e(Q_s, W) and F = e(P2, U + yA). F is made of the values without a date, so that only the
    /// PIN error remains.
    init(serverSecret: G2, identity: G1, base: G1, u: G1, commitment: G1, y: Scalar, v: G1) throws {
        let generator = try PreparedG2(.generator)
        let secret = try PreparedG2(serverSecret)
        let e = pairingProduct(generator, v, secret, commitment + y * base)
        let f = pairing(generator, u + y * identity)
        self.e = try #require(e)
        self.f = try #require(f)
    }

    /// The PIN error d (entered minus registered), E = F^-d, for |d| up to `bound`: baby steps and giant
    /// steps.
    func search(bound: Int) -> Int? {
        let width = Int(Double(bound).squareRoot()) + 1
        var baby: [[UInt8]: Int] = [:]
        var giant = GT.one
        for exponent in 0..<width {
            baby[giant.octets] = exponent
            giant = giant * f
        }
        var up = e
        var down = e
        for step in 0...width {
            if let exponent = baby[up.octets] { return step * width - exponent }
            if let exponent = baby[down.octets] { return -(step * width + exponent) }
            up = up * giant
            down = down * giant.inverse
        }
        return nil
    }
}
