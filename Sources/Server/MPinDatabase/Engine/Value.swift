// SPDX-License-Identifier: Apache-2.0
// What a statement takes and what a row holds.
package import Octets

/// A value bound to a statement or read from a row.
package enum Value: Equatable, Sendable {
    /// A bound null has the type of its column, which PostgreSQL must know; one read from a row has none.
    case null(Kind?)
    case integer(Int64)
    case text(String)
    case octets([UInt8])

    /// What a column holds.
    package enum Kind: Sendable {
        case integer
        case text
        case octets
    }

    package static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null(.text) }
    package static func octets(_ octets: [UInt8]?) -> Value { octets.map { .octets($0) } ?? .null(.octets) }
    package static func octets<let size: Int, Meaning>(_ value: FixedOctets<size, Meaning>?) -> Value {
        octets(value?.octets)
    }
    package static func integer(_ number: (some FixedWidthInteger)?) -> Value {
        number.map { .integer(Int64($0)) } ?? .null(.integer)
    }
    /// The number of rows that a list may have: `limit`, but never more than 1000.
    package static func page(_ limit: Int) -> Value { .integer(Int64(min(max(limit, 0), 1000))) }
    package static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
}
