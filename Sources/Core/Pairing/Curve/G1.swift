// SPDX-License-Identifier: Apache-2.0
// The group G1: points of E(Fp), their encoding, and the hash to a point.
import Secrets

/// A point of E(Fp). The curve has prime order r, so there is no subgroup to check.
package struct G1: Sendable {
    /// The length of an encoded point, 04 || x || y, with x and y as 32 octets each, big-endian.
    package static let octetCount = 65

    typealias Fp = BN254CX.Fp

    package var point: Point<BN254CX.One>

    init(_ point: Point<BN254CX.One>) { self.point = point }

    /// P1 = (-1, 1).
    package static var generator: Self { Self(BN254CX.One.generator) }

    /// Decodes a point from exactly 65 octets 04 || x || y; nil unless x and y are below p and the point is
    /// on the curve. Infinity has no encoding.
    package init?(_ octets: RawSpan) {
        guard octets.byteCount == Self.octetCount else { return nil }
        var valid = maskIfZero(UInt64(truncatingIfNeeded: octets.octet(0) ^ 4))
        let x = Fp(octets, at: 1, valid: &valid)
        let y = Fp(octets, at: 33, valid: &valid)
        valid &= Point<BN254CX.One>.onCurveMask(x, y)
        point = Point(x: x, y: y)
        guard revealed(valid) else { return nil }
    }

    /// The hash to a point that Milagro uses, `mapit`: x is the digest modulo p, increased by one until x^3 +
    /// 2 is a non-zero square; y is the even root. Use it for public digests only: its time depends on the
    /// digest.
    package init(hashing digest: [UInt8]) {
        var x = Fp(reducing: unsafe digest.span.bytes)
        while true {
            let square = x.squared * x + BN254CX.One.b
            let root = square.squareRoot
            if root.squared.equalMask(square) != 0, square.zeroMask == 0 {
                point = Point(x: x, y: root.integer.bit(0) ? -root : root)
                return
            }
            x = x + .one
        }
    }

    package static func + (a: Self, b: Self) -> Self { Self(a.point + b.point) }
    package static func - (a: Self, b: Self) -> Self { Self(a.point - b.point) }
    package static prefix func - (a: Self) -> Self { Self(-a.point) }

    /// k times the point, in constant time.
    package static func * (k: Scalar, a: Self) -> Self { Self(a.point.multiplied(by: k.value.integer)) }

    /// k times the point, in a time that depends on k: only for a public k.
    package func multipliedVartime(by k: Scalar) -> Self {
        Self(point.multipliedVartime(by: k.value.integer.limbs))
    }

    package var isInfinity: Bool { revealed(point.infinityMask) }

    /// A point in affine coordinates, ready to be encoded.
    package struct Affine: Sendable {
        /// z is 1, or 0 if the point cannot be encoded.
        let point: Point<BN254CX.One>

        /// Writes the 65 octets. Returns false for infinity (what is written then is meaningless) or if
        /// `octets` has another length.
        package func encode(into octets: inout MutableRawSpan) -> Bool {
            guard octets.byteCount == G1.octetCount else { return false }
            octets.storeBytes(of: 4, toByteOffset: 0, as: UInt8.self)
            octets.write(point.x.integer, at: 1)
            octets.write(point.y.integer, at: 33)
            return !revealed(point.infinityMask)
        }
    }

    /// The point in affine coordinates, at the cost of one inversion.
    package var affine: Affine { Affine(point: point.normalized) }

    /// Three points in affine coordinates, for the cost of one inversion. If one is infinity, none can be
    /// encoded.
    package static func affine(_ points: InlineArray<3, G1>) -> InlineArray<3, Affine> {
        let normal = Point.normalized([points[0].point, points[1].point, points[2].point])
        return [Affine(point: normal[0]), Affine(point: normal[1]), Affine(point: normal[2])]
    }

    /// The 65 octets of a public point; nil for infinity.
    package var octets: [UInt8]? { affine.octets }
}

extension G1.Affine {
    /// The 65 octets of a public point; nil for infinity.
    package var octets: [UInt8]? {
        var octets = [UInt8](repeating: 0, count: G1.octetCount)
        var span = octets.mutableSpan
        var bytes = unsafe span.mutableBytes
        return encode(into: &bytes) ? octets : nil
    }
}
