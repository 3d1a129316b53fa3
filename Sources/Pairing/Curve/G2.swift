// SPDX-License-Identifier: Apache-2.0
// The second group: the subgroup of order r of the twist E'(Fp2), and its octets.
import Secrets

/// A point of order r on the twist, or infinity.
package struct G2: Sendable {
    /// Re x || Im x || Re y || Im y.
    package static let octetCount = 128

    typealias Fp = BN254CX.Fp
    typealias Fp2 = BN254CX.Fp2

    package var point: Point<BN254CX.Two>

    init(_ point: Point<BN254CX.Two>) { self.point = point }

    /// P2.
    package static var generator: Self { Self(BN254CX.Two.generator) }

    /// Exactly 128 octets, all four coordinates below p, on the twist and in the subgroup of order r, which
    /// psi tells: psi(Q) = [6u^2]Q (M. Scott, "A note on group membership tests for G1, G2 and GT", ePrint
    /// 2021/1130, section 4; complete for this curve, as t - 1 = 6u^2). Infinity has no encoding.
    package init?(_ octets: RawSpan) {
        guard octets.byteCount == Self.octetCount else { return nil }
        var valid = ~UInt64(0)
        let x = Fp2(Fp(octets, at: 0, valid: &valid), Fp(octets, at: 32, valid: &valid))
        let y = Fp2(Fp(octets, at: 64, valid: &valid), Fp(octets, at: 96, valid: &valid))
        point = Point(x: x, y: y)
        valid &= Point<BN254CX.Two>.onCurveMask(x, y)
        let multiple = point.multipliedVartime(by: BN254CX.Two.eigenvalue)
        valid &= BN254CX.Two.endomorphism(point).equalMask(multiple)
        guard revealed(valid) else { return nil }
    }

    package static func + (a: Self, b: Self) -> Self { Self(a.point + b.point) }
    package static prefix func - (a: Self) -> Self { Self(-a.point) }

    /// In constant time.
    package static func * (k: Scalar, a: Self) -> Self { Self(a.point.multiplied(by: k.value.integer)) }

    /// In a time that betrays k.
    package func multipliedVartime(by k: Scalar) -> Self {
        Self(point.multipliedVartime(by: k.value.integer.limbs))
    }

    package var isInfinity: Bool { revealed(point.infinityMask) }

    /// Writes the 128 octets; false, and nothing of use is written, for infinity.
    package func encode(into octets: inout MutableRawSpan) -> Bool {
        guard octets.byteCount == Self.octetCount else { return false }
        let point = point.normalized
        octets.write(point.x.re.integer, at: 0)
        octets.write(point.x.im.integer, at: 32)
        octets.write(point.y.re.integer, at: 64)
        octets.write(point.y.im.integer, at: 96)
        return !isInfinity
    }
}
