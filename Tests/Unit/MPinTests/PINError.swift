// SPDX-License-Identifier: Apache-2.0
// The PIN error that E and F of SERVER_2 tell. Our server never computes them; the vectors hold them.
import Pairing
import Testing

struct PINError {
    let e: GT
    let f: GT

    /// E = e(P2, V) e(Q_s, W) and F = e(P2, U + yA). F is of the undated values, so that the PIN error stands
    /// alone.
    init(serverSecret: G2, identity: G1, base: G1, u: G1, commitment: G1, y: Scalar, v: G1) throws {
        let generator = try PreparedG2(.generator)
        let secret = try PreparedG2(serverSecret)
        let e = pairingProduct(generator, v, secret, commitment + y * base)
        let f = pairing(generator, u + y * identity)
        self.e = try #require(e)
        self.f = try #require(f)
    }

    /// The PIN error d (entered less registered), E = F^-d, up to `bound` either way: baby steps and giant
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
