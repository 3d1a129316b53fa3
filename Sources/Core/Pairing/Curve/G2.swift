// SPDX-License-Identifier: Apache-2.0
// The group G2: the subgroup of order r of the twist E'(Fp2), and its encoding.
import Secrets

/// A point of order r on the twist, or infinity.
package struct G2: Sendable {
    /// The length of an encoded point, Re x || Im x || Re y || Im y, with 32 octets each, big-endian.
    package static let octetCount = 128

    typealias Fp = BN254CX.Fp
    typealias Fp2 = BN254CX.Fp2

    package var point: Point<BN254CX.Two>

    init(_ point: Point<BN254CX.Two>) { self.point = point }

    /// The generator P2.
    package static var generator: Self { Self(BN254CX.Two.generator) }

    /// Decodes a point from exactly 128 octets; nil unless all four coordinates are below p and the point is
    /// on the twist and in the subgroup of order r. The subgroup test is psi(Q) = [6u^2]Q (M. Scott, "A note
    /// on group membership tests for G1, G2 and GT", ePrint 2021/1130, section 4); it is complete for this
    /// curve because t - 1 = 6u^2. Infinity has no encoding.
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

    /// k times the point, in constant time.
    package static func * (k: Scalar, a: Self) -> Self { Self(a.point.multiplied(by: k.value.integer)) }

    /// k times the point, in a time that depends on k: only for a public k.
    package func multipliedVartime(by k: Scalar) -> Self {
        Self(point.multipliedVartime(by: k.value.integer.limbs))
    }

    package var isInfinity: Bool { revealed(point.infinityMask) }

    /// Writes the 128 octets. Returns false for infinity (what is written then is meaningless) or if `octets`
    /// has another length.
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
