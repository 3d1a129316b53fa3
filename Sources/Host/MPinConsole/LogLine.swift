// SPDX-License-Identifier: Apache-2.0
// The format of the log lines.
import Octets

/// One line of the log: `event key="value" key="value"`. A parser can undo the escaping of the values.
package struct LogLine {
    package private(set) var octets: [UInt8]

    /// - Parameter event: a fixed keyword, written without escaping.
    package init(_ event: StaticString) { octets = ascii(event) }

    /// Adds one pair. At most the first 64 octets of the value are written; octets outside 21-7E, quotes and
    /// backslashes are written as `\ooo`. A nil value adds nothing.
    package mutating func add(_ key: StaticString, _ value: [UInt8]?) {
        guard let value else { return }
        octets += ascii(" ") + ascii(key) + ascii("=\"")
        for octet in value.prefix(64) {
            switch octet {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0...0x20, 0x7F...0xFF:
                octets.append(UInt8(ascii: "\\"))
                for shift: UInt8 in [6, 3, 0] { octets.append(UInt8(ascii: "0") + (octet >> shift & 7)) }
            default: octets.append(octet)
            }
        }
        octets.append(UInt8(ascii: "\""))
    }

    package mutating func add(_ key: StaticString, _ value: StaticString) { add(key, ascii(value)) }
    package mutating func add(_ key: StaticString, _ value: Int) { add(key, decimal(value)) }
}
