// SPDX-License-Identifier: Apache-2.0
// The lines of the Miller loop for one point of G2, computed in advance.
package import Secrets

/// Holds, for each step, the line through T and R on the twist: with the slope s, the pair (-s, s xT - yT).
/// Its value at P = (x, y) of E, divided by y, is 1 - s (x/y) w + (s xT - yT) (1/y) w^3; the final
/// exponentiation removes the factor y of Fp. The lines of a server secret reveal the secret, so they are
/// kept in a `Secret`.
public struct PreparedG2: ~Copyable, Sendable {
    private let lines: Secret

    /// Computes the lines without a branch on the point. T is always a multiple of the point by less than r.
    /// When the two are added, T is never the point or its negative, so there is no special case.
    package init(_ q: G2) throws(OutOfMemory) {
        var lines = try Secret(count: Line.octetCount * MillerLoop.lineCount)
        let q = q.point.normalized
        var t = RunningPoint(x: q.x, y: q.y)
        let loop = Natural(BN254CX.loop)
        var count = 0
        for index in 1...MillerLoop.topBit {
            lines.append(t.double(), &count)
            if loop.bit(MillerLoop.topBit - index) { lines.append(t.add(q.x, q.y), &count) }
        }
        t.y = -t.y
        let psi = BN254CX.Two.endomorphism(q)
        lines.append(t.add(psi.x, psi.y), &count)
        let psi2 = BN254CX.Two.endomorphism(psi)
        lines.append(t.add(psi2.x, -psi2.y), &count)
        self.lines = lines
    }

    /// Line `index`, counted in the order of the loop.
    @inline(__always)
    borrowing func line(_ index: Int) -> Line { lines.withBytes { Line($0, at: Line.octetCount &* index) } }
}

/// The coefficients a of x/y and b of 1/y in the value of a line.
struct Line {
    static let octetCount = 128

    let a: BN254CX.Fp2
    let b: BN254CX.Fp2

    init(_ a: BN254CX.Fp2, _ b: BN254CX.Fp2) {
        self.a = a
        self.b = b
    }

    @inline(__always)
    init(_ octets: RawSpan, at start: Int) {
        a = BN254CX.Fp2(Self.load(octets, start), Self.load(octets, start &+ 32))
        b = BN254CX.Fp2(Self.load(octets, start &+ 64), Self.load(octets, start &+ 96))
    }

    @inline(__always)
    private static func load(_ octets: RawSpan, _ start: Int) -> BN254CX.Fp {
        BN254CX.Fp(
            montgomery: unsafe octets.unsafeLoadUnaligned(
                fromByteOffset: start, as: InlineArray<4, UInt64>.self))
    }
}

extension Secret {
    fileprivate mutating func append(_ line: Line, _ count: inout Int) {
        let start = Line.octetCount * count
        withMutableBytes { bytes in
            bytes.storeBytes(of: line.a.re.limbs, toByteOffset: start, as: InlineArray<4, UInt64>.self)
            bytes.storeBytes(of: line.a.im.limbs, toByteOffset: start + 32, as: InlineArray<4, UInt64>.self)
            bytes.storeBytes(of: line.b.re.limbs, toByteOffset: start + 64, as: InlineArray<4, UInt64>.self)
            bytes.storeBytes(of: line.b.im.limbs, toByteOffset: start + 96, as: InlineArray<4, UInt64>.self)
        }
        count += 1
    }
}

/// The point T of the Miller loop, in affine coordinates.
private struct RunningPoint {
    var x: BN254CX.Fp2
    var y: BN254CX.Fp2

    mutating func double() -> Line {
        let square = x.squared
        return move((square.doubled + square) * y.doubled.inverse, x)
    }

    mutating func add(_ otherX: BN254CX.Fp2, _ otherY: BN254CX.Fp2) -> Line {
        move((otherY - y) * (otherX - x).inverse, otherX)
    }

    private mutating func move(_ slope: BN254CX.Fp2, _ otherX: BN254CX.Fp2) -> Line {
        let line = Line(-slope, slope * x - y)
        let sumX = slope.squared - x - otherX
        y = slope * (x - sumX) - y
        x = sumX
        return line
    }
}
