// SPDX-License-Identifier: Apache-2.0
// Writes and reads the octets that get sealed: a label, a zero octet, then fields (seal.md, section 1).
import Octets
import Secrets

/// Why sealing or opening failed.
package enum SealFailure: Error, Equatable {
    /// A value has the wrong length or is out of bounds.
    case malformed
    /// The octets are not what was sealed under this key.
    case notAuthentic
    case outOfMemory
    case noRandomness
}

/// The limits of a sealed question: octets of a text, and number of identities.
package enum SealBound {
    /// The most octets of a text.
    package static let text = 255
    /// The most identities of a question.
    package static let identities = 64
}

/// Writes a sealed message. Numbers are big-endian; the length of a text, 2 octets, comes before it.
struct SealWriter {
    private(set) var octets: [UInt8]

    /// Writes `label` and a zero octet.
    init(_ label: StaticString) {
        octets = ascii(label)
        octets.append(0)
    }

    mutating func fixed<let size: Int, Meaning>(_ field: FixedOctets<size, Meaning>) {
        octets.append(contentsOf: field.octets)
    }

    /// Octets whose number the reader knows.
    mutating func plain(_ octets: [UInt8]) { self.octets.append(contentsOf: octets) }

    /// Writes the length and the text. Callers limit texts to far fewer octets than a length of two octets
    /// can count.
    mutating func text(_ field: [UInt8]) {
        number(UInt16(clamping: field.count))
        octets.append(contentsOf: field.prefix(Int(UInt16.max)))
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(_ value: N) {
        octets.append(contentsOf: bigEndian(value))
    }
}

/// Reads what `SealWriter` wrote; returns nil if the octets are something else.
struct SealReader {
    private let octets: [UInt8]
    private var position = 0

    init?(_ octets: [UInt8], label: StaticString) {
        self.octets = octets
        let start = SealWriter(label).octets
        guard let found = prefix(start.count), found == start else { return nil }
    }

    mutating func fixed<let size: Int, Meaning>() -> FixedOctets<size, Meaning>? {
        prefix(size).flatMap { FixedOctets($0) }
    }

    /// The next `count` octets.
    mutating func prefix(_ count: Int) -> [UInt8]? {
        guard count >= 0, octets.count - position >= count else { return nil }
        let field = [UInt8](octets[position..<position + count])
        position += count
        return field
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(_ type: N.Type = N.self) -> N? {
        guard let field = prefix(N.bitWidth / 8) else { return nil }
        return field.reduce(0) { $0 << 8 | N(truncatingIfNeeded: $1) }
    }

    mutating func text() -> [UInt8]? {
        guard let count = number(UInt16.self) else { return nil }
        return prefix(Int(count))
    }

    var isAtEnd: Bool { position == octets.count }
}

/// A secret of `count` zero octets.
func secret(count: Int) throws(SealFailure) -> Secret {
    do { return try Secret(count: count) } catch { throw .outOfMemory }
}

/// HMAC-SHA-256 as another secret of 32 octets.
func derived(_ key: borrowing Secret, _ octets: [UInt8]) throws(SealFailure) -> Secret {
    do { return try derive(key: key, octets) } catch { throw .outOfMemory }
}

/// HMAC-SHA-256 as a public tag of 32 octets.
func tagged(_ key: borrowing Secret, _ octets: [UInt8]) throws(SealFailure) -> [UInt8] {
    do { return try hmac(key: key, octets) } catch { throw .outOfMemory }
}

extension SealFailure {
    init(_ error: SealError) {
        switch error {
        case .notAuthentic: self = .notAuthentic
        case .outOfMemory: self = .outOfMemory
        }
    }
}
