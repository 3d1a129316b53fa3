// SPDX-License-Identifier: Apache-2.0
// The vector files, and conversions of octets for the tests.
import Foundation
import Octets
import Pairing
import Secrets
import TestSupport
import Testing

/// A value of a vector file. A value that a test expects and does not find is an error.
enum Vector: Decodable, Sendable, CustomTestStringConvertible {
    case object([String: Vector])
    case array([Vector])
    case string(String)
    case number(Int)
    case null

    struct Missing: Error { let what: String }

    /// Reads one file of the folder that `MPIN_VECTORS` names, or else of Tests/Conformance/Vectors.
    init(file: String) throws {
        let folder =
            ProcessInfo.processInfo.environment["MPIN_VECTORS"].map { URL(fileURLWithPath: $0) }
            ?? vectorFolder
        let data = try Data(contentsOf: folder.appendingPathComponent("\(file).json"))
        self = try JSONDecoder().decode(Vector.self, from: data)
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let object = try? value.decode([String: Vector].self) {
            self = .object(object)
        } else if let array = try? value.decode([Vector].self) {
            self = .array(array)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if (try? value.decode(Bool.self)) != nil || value.decodeNil() {
            self = .null
        } else {
            throw Missing(what: "known type")
        }
    }

    subscript(key: String) -> Vector {
        guard case .object(let object) = self, let value = object[key] else { return .null }
        return value
    }

    /// The members of an array, which must have exactly this count.
    func members(_ count: Int) throws -> [Vector] {
        guard case .array(let array) = self, array.count == count else {
            throw Missing(what: "array of \(count)")
        }
        return array
    }

    var text: String {
        get throws {
            guard case .string(let text) = self else { throw Missing(what: "text") }
            return text
        }
    }

    var integer: Int {
        get throws {
            guard case .number(let number) = self else { throw Missing(what: "number") }
            return number
        }
    }

    var isNull: Bool { if case .null = self { true } else { false } }

    /// The octets of a text in hex.
    var octets: [UInt8] {
        get throws {
            let digits = Array(try text.utf8)
            guard digits.count % 2 == 0 else { throw Missing(what: "hex") }
            return try stride(from: 0, to: digits.count, by: 2).map { index in
                let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
                guard let octet = UInt8(pair, radix: 16) else { throw Missing(what: "hex") }
                return octet
            }
        }
    }

    func fixed<let size: Int, Meaning>() throws -> FixedOctets<size, Meaning> {
        try FixedOctets(exactly: octets)
    }

    func secret() throws -> Secret { try Secret(octets) }
    var scalar: Scalar { get throws { try #require(octets.scalar) } }
    var g1: G1 { get throws { try #require(octets.g1) } }
    var g2: G2 { get throws { try #require(octets.g2) } }
    var date: UInt32 { get throws { UInt32(try integer) } }

    var testDescription: String { (try? self["name"].text) ?? "vector" }
}

extension [UInt8] {
    var scalar: Scalar? { Scalar(unsafe span.bytes) }
    var g1: G1? { G1(unsafe span.bytes) }
    var g2: G2? { G2(unsafe span.bytes) }
    /// The octets as an integer, reduced modulo p.
    var fp: BN254CX.Fp { BN254CX.Fp(reducing: unsafe span.bytes) }
}

extension Secret {
    init(_ octets: [UInt8]) throws { self = try Secret(copying: unsafe octets.span.bytes) }

    init(_ text: String) throws { try self.init(Array(text.utf8)) }

    /// A copy for comparison.
    var copy: [UInt8] { withBytes { span in (0..<span.byteCount).map { span.octet($0) } } }
}
