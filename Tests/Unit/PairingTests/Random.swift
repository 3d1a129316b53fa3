// SPDX-License-Identifier: Apache-2.0
// Random values, and edge cases of the arithmetic.
import Foundation
import Pairing
import Secrets

typealias Fp = BN254CX.Fp
typealias Fp2 = BN254CX.Fp2
typealias Fp6 = BN254CX.Fp6
typealias Fp12 = BN254CX.Fp12

protocol Randomizable {
    static func random() throws -> Self
}

extension PrimeField: Randomizable {
    static func random() throws -> Self {
        let octets = try randomOctets(8 * n + 16)
        return Self(reducing: unsafe octets.span.bytes)
    }
}

extension Quadratic: Randomizable where F: Randomizable {
    static func random() throws -> Self { Self(try F.random(), try F.random()) }
}

extension Sextic: Randomizable where F: Randomizable {
    static func random() throws -> Self {
        Self(try Quadratic.random(), try Quadratic.random(), try Quadratic.random())
    }
}

extension Dodecic: Randomizable where F: Randomizable {
    static func random() throws -> Self { Self(try Sextic.random(), try Sextic.random()) }
}

extension Scalar: Randomizable {
    static func random() throws -> Scalar {
        let octets = try randomOctets(48)
        return Scalar(nonZeroFrom: unsafe octets.span.bytes)
    }

    /// Small scalars and their negatives, and scalars with extreme digits and halves.
    static var edges: [Scalar] {
        var edges = [0, 1, 2, 7, 8, 9, 15, 16, 17].map { Scalar(UInt64($0)) }
        edges += edges.map { -$0 }
        for fill: UInt8 in [0x77, 0x88, 0x80, 0x7f, 0xff, 0x0f] {
            for count in [8, 16, 17, 31] {
                let octets = [UInt8](repeating: fill, count: count)
                edges.append(Scalar(reducing: unsafe octets.span.bytes))
            }
        }
        return edges
    }
}

extension Field {
    func equals(_ other: Self) -> Bool { equalMask(other) != 0 }
}

extension Point {
    func equals(_ other: Self) -> Bool { equalMask(other) != 0 }

    /// The same point in other projective coordinates.
    func scaled(by factor: C.Coordinate) -> Self {
        var point = self
        point.x = x * factor
        point.y = y * factor
        point.z = z * factor
        return point
    }
}

extension [UInt8] {
    var g1: G1? { G1(unsafe span.bytes) }
    var g2: G2? { G2(unsafe span.bytes) }
    var scalar: Scalar? { Scalar(unsafe span.bytes) }
}
