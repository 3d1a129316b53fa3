// SPDX-License-Identifier: Apache-2.0
// Values in JSON: octets as hexadecimal text, and numbers and flags in every form that Milagro's programs
// write.

#if !hasFeature(Embedded)
    package import Octets

    /// Octets that JSON has as hexadecimal text: written in lower case, read in either case.
    package struct HexOctets: Codable, Equatable, Hashable, Sendable {
        package let octets: [UInt8]

        package init(_ octets: [UInt8]) { self.octets = octets }

        /// The octets of a value of fixed size.
        package init<let size: Int, Meaning>(_ value: FixedOctets<size, Meaning>) { octets = value.octets }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let octets = Octets.octets(fromHex: [UInt8](text.utf8)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
            }
            self.octets = octets
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }

        /// The octets as lower-case text.
        package var text: String { hexText(octets) }
    }

    /// In JSON a value of fixed size is hexadecimal text, as with `HexOctets`.
    extension FixedOctets: Codable {
        /// Throws `DecodingError.dataCorrupted` for another number of octets.
        package init(from decoder: any Decoder) throws {
            guard let value = Self(try HexOctets(from: decoder).octets) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "not \(size) octets"))
            }
            self = value
        }

        /// Writes lower-case digits.
        package func encode(to encoder: any Encoder) throws { try HexOctets(self).encode(to: encoder) }
    }

    /// Octets as lower-case hexadecimal text.
    package func hexText(_ octets: [UInt8]) -> String { String(decoding: hex(octets), as: UTF8.self) }

    /// The value as lower-case hexadecimal text.
    package func hexText<let size: Int, Meaning>(_ value: FixedOctets<size, Meaning>) -> String {
        hexText(value.octets)
    }

    /// A whole number: written as a number, read from a number or its decimal text.
    package struct Number: Codable, Equatable, Sendable, ExpressibleByIntegerLiteral {
        package let value: Int

        package init(_ value: Int) { self.value = value }
        package init(integerLiteral value: Int) { self.value = value }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Int.self) {
                self.value = value
            } else if let value = Int(try container.decode(String.self)) {
                self.value = value
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a whole number")
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    /// A Boolean: written as true or false, read from those, from 0 and 1, and from "0" and "1".
    package struct Flag: Codable, Equatable, Sendable, ExpressibleByBooleanLiteral {
        package let isOn: Bool

        package init(_ isOn: Bool) { self.isOn = isOn }
        package init(booleanLiteral isOn: Bool) { self.isOn = isOn }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let isOn = try? container.decode(Bool.self) {
                self.isOn = isOn
                return
            }
            switch try Number(from: decoder).value {
            case 0: isOn = false
            case 1: isOn = true
            default:
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither 0 nor 1")
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(isOn)
        }
    }
#endif
