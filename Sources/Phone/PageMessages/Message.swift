// SPDX-License-Identifier: Apache-2.0
// The messages between the page's script and this module: fields, each with its length before it (4 octets,
// little endian). Incoming messages are not trusted.
import MPinProof
import Octets

/// A message to the script. Its first field is a word that says what it is; values have their names before
/// them.
package struct Message {
    /// All fields, each with its length before it.
    package private(set) var octets: [UInt8] = []

    /// A message with its first field.
    package init(_ verb: StaticString) { add(verb) }

    /// Adds a field.
    package mutating func add(_ field: [UInt8]) {
        octets += length(of: field)
        octets += field
    }

    /// Adds a field of ASCII text.
    package mutating func add(_ word: StaticString) { add(ascii(word)) }

    /// Adds a value with its name before it. mpind accepts numbers and flags as text.
    package mutating func add(_ name: StaticString, _ value: [UInt8]) {
        add(name)
        add(value)
    }

    /// Adds a keyword with its name before it.
    package mutating func add(_ name: StaticString, _ value: StaticString) { add(name, ascii(value)) }

    /// Adds a number without its sign, or an empty value if it is not known.
    package mutating func add(_ name: StaticString, _ number: Int?) {
        add(name, number.map { decimal($0.magnitude) } ?? [])
    }

    /// The message as the script reads it: its length, then the fields.
    package var framed: [UInt8] { length(of: octets) + octets }
}

private func length(of octets: [UInt8]) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: octets.count >> $0) }
}

/// The fields of a message; nil if a length goes beyond its end.
package func fields(of message: RawSpan) -> [[UInt8]]? {
    var fields: [[UInt8]] = []
    var position = 0
    while position < message.byteCount {
        guard message.byteCount - position >= 4 else { return nil }
        let stored = unsafe message.unsafeLoadUnaligned(fromByteOffset: position, as: UInt32.self)
        position += 4
        guard let count = Int(exactly: UInt32(littleEndian: stored)), count <= message.byteCount - position
        else { return nil }
        var field: [UInt8] = []
        field.reserveCapacity(count)
        for index in position..<position + count {
            field.append(unsafe message.unsafeLoad(fromByteOffset: index, as: UInt8.self))
        }
        fields.append(field)
        position += count
    }
    return fields
}
