// SPDX-License-Identifier: Apache-2.0
// The octets that get sealed: a label, a zero octet, then fields; written, and read back exactly.
import Octets
import Secrets

/// Why nothing was sealed or opened.
package enum SealFailure: Error, Equatable {
    /// A value of the wrong length or out of bounds.
    case malformed
    /// Not what was sealed under this key.
    case notAuthentic
    case outOfMemory
    case noRandomness
}

/// Bounds of what a sealed question holds, in octets (and identities).
package enum SealBound {
    package static let text = 255
    package static let identities = 64
}

/// Numbers are big endian; a text has its length (2 octets) before it.
struct SealWriter {
    private(set) var octets: [UInt8]

    /// `label`, then a zero octet.
    init(_ label: StaticString) {
        octets = ascii(label)
        octets.append(0)
    }

    mutating func fixed(_ field: [UInt8]) { octets.append(contentsOf: field) }

    /// Texts are bounded where they come in, far below what two octets can count.
    mutating func text(_ field: [UInt8]) {
        number(UInt16(clamping: field.count))
        octets.append(contentsOf: field.prefix(Int(UInt16.max)))
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(_ value: N) {
        octets.append(contentsOf: bigEndian(value))
    }
}

/// Reads what `SealWriter` wrote; nil where the octets are something else.
struct SealReader {
    private let octets: [UInt8]
    private var position = 0

    init?(_ octets: [UInt8], label: StaticString) {
        self.octets = octets
        let start = SealWriter(label).octets
        guard let found = fixed(start.count), found == start else { return nil }
    }

    mutating func fixed(_ count: Int) -> [UInt8]? {
        guard count >= 0, octets.count - position >= count else { return nil }
        let field = [UInt8](octets[position..<position + count])
        position += count
        return field
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(_ type: N.Type = N.self) -> N? {
        guard let field = fixed(N.bitWidth / 8) else { return nil }
        return field.reduce(0) { $0 << 8 | N(truncatingIfNeeded: $1) }
    }

    mutating func text() -> [UInt8]? {
        guard let count = number(UInt16.self) else { return nil }
        return fixed(Int(count))
    }

    var isAtEnd: Bool { position == octets.count }
}

/// A secret of zero octets, to be written.
func secret(count: Int) throws(SealFailure) -> Secret {
    do { return try Secret(count: count) } catch { throw .outOfMemory }
}

/// HMAC-SHA-256 as another secret.
func derived(_ key: borrowing Secret, _ octets: [UInt8]) throws(SealFailure) -> Secret {
    do { return try derive(key: key, octets) } catch { throw .outOfMemory }
}

/// HMAC-SHA-256 as a public tag.
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
