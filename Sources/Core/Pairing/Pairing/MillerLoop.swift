// SPDX-License-Identifier: Apache-2.0
// The optimal ate pairing: F. Vercauteren, "Optimal Pairings" (ePrint 2008/096), section IV.A for these
// curves.

/// The Miller loop over |6u + 2| with prepared lines.
enum MillerLoop {
    typealias Fp = BN254CX.Fp
    typealias Fp12 = BN254CX.Fp12

    /// The index of the leading bit of |6u + 2|.
    static let topBit = 64
    /// One line for each doubling (a bit below the leading one), one for each addition (a set bit), and two
    /// for the images under the Frobenius map.
    static let lineCount = 64 + 10 + 2

    /// A point of E in the form that the lines need: x/y and 1/y.
    struct Argument {
        let ratio: Fp
        let inverse: Fp

        init(_ p: G1, inverseY: Fp) {
            ratio = p.point.x * inverseY
            inverse = p.point.z * inverseY
        }
    }

    /// Runs the loop. `times` multiplies the accumulator by the lines with the given index.
    @inline(__always)
    static func run(_ times: (inout Fp12, Int) -> Void) -> Fp12 {
        let loop = Natural(BN254CX.loop)
        var f = Fp12.one
        var line = 0
        for index in 1...topBit {
            f = f.squared
            times(&f, line)
            line &+= 1
            if loop.bit(topBit &- index) {
                times(&f, line)
                line &+= 1
            }
        }
        f = f.conjugate  // 6u + 2 is negative
        times(&f, line)
        times(&f, line &+ 1)
        return f
    }
}

extension BN254CX.Fp12 {
    @inline(__always)
    fileprivate mutating func multiply(_ line: Line, at p: MillerLoop.Argument) {
        self = timesLine(line.a * p.ratio, line.b * p.inverse)
    }
}

/// e(Q, P): the result of the Miller loop to the power (p^12 - 1) / r. Nil if P is infinity.
package func pairing(_ q: borrowing PreparedG2, _ p: G1) -> GT? {
    guard !p.isInfinity else { return nil }
    let at = MillerLoop.Argument(p, inverseY: p.point.y.inverse)
    return GT(finalExponentiation(MillerLoop.run { $0.multiply(q.line($1), at: at) }))
}

/// e(Q1, P1) e(Q2, P2), with one loop and one final exponentiation. Nil if P1 or P2 is infinity.
package func pairingProduct(
    _ q1: borrowing PreparedG2, _ p1: G1, _ q2: borrowing PreparedG2, _ p2: G1
) -> GT? {
    guard !p1.isInfinity, !p2.isInfinity else { return nil }
    let inverse = (p1.point.y * p2.point.y).inverse
    let at1 = MillerLoop.Argument(p1, inverseY: inverse * p2.point.y)
    let at2 = MillerLoop.Argument(p2, inverseY: inverse * p1.point.y)
    return GT(
        finalExponentiation(
            MillerLoop.run {
                $0.multiply(q1.line($1), at: at1)
                $0.multiply(q2.line($1), at: at2)
            }))
}

/// f to exactly the power (p^12 - 1) / r: first (p^6 - 1)(p^2 + 1), then (p^4 - p^2 + 1) / r by the addition
/// chain of M. Scott, N. Benger, M. Charlemagne, L. Dominguez Perez, E. Kachisa, "On the Final Exponentiation
/// for Calculating Pairings on Ordinary Elliptic Curves" (ePrint 2008/490), section 5.
func finalExponentiation(_ f: BN254CX.Fp12) -> BN254CX.Fp12 {
    let easy = f.conjugate * f.inverse
    let g = easy.raisedToP.raisedToP * easy
    let gu = g.raisedToU
    let gu2 = gu.raisedToU
    let gu3 = gu2.raisedToU
    let gp = g.raisedToP
    let gp2 = gp.raisedToP
    let gu2p = gu2.raisedToP

    let y0 = gp * gp2 * gp2.raisedToP
    let y1 = g.conjugate
    let y2 = gu2p.raisedToP
    let y3 = gu.raisedToP.conjugate
    let y4 = (gu * gu2p).conjugate
    let y5 = gu2.conjugate
    let y6 = (gu3 * gu3.raisedToP).conjugate

    // y0 y1^2 y2^6 y3^12 y4^18 y5^30 y6^36
    let a = y6.cyclotomicSquared * y4 * y5
    let b = (y3 * y5 * a).cyclotomicSquared * (a * y2)
    let c = b.cyclotomicSquared
    return (c * y1).cyclotomicSquared * (c * y0)
}

extension BN254CX.Fp12 {
    fileprivate var raisedToP: Self { frobenius(BN254CX.gamma) }

    /// The power u of an element of the cyclotomic subgroup, where the inverse is the conjugate.
    fileprivate var raisedToU: Self {
        let u = Natural(BN254CX.u)
        var result = self
        for index in 1...62 {
            result = result.cyclotomicSquared
            if u.bit(62 - index) { result = result * self }
        }
        return result.conjugate  // u is negative
    }
}
