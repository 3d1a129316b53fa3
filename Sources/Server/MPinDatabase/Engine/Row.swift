// SPDX-License-Identifier: Apache-2.0
// A row that a statement returned.
package import Octets

/// A row, read column by column from the left. A value of another type than expected throws `corrupt`: this
/// program does not write such a value.
package struct Row: Equatable {
    private var rest: ArraySlice<Value>

    package init(_ values: [Value]) { rest = values[...] }

    /// The columns that have not been read.
    package var values: [Value] { Array(rest) }

    /// The next column, whatever its type.
    package mutating func value() throws(StorageError) -> Value {
        guard let value = rest.popFirst() else { throw .corrupt }
        return value
    }

    package mutating func integer() throws(StorageError) -> Int64 { try known(optionalInteger()) }

    package mutating func optionalInteger() throws(StorageError) -> Int64? {
        switch try value() {
        case .integer(let number): return number
        case .null: return nil
        case .text, .octets: throw .corrupt
        }
    }

    package mutating func number<N: FixedWidthInteger>(_: N.Type) throws(StorageError) -> N {
        try known(N(exactly: try integer()))
    }

    package mutating func optionalEpoch() throws(StorageError) -> UInt32? {
        guard let wide = try optionalInteger() else { return nil }
        return try known(UInt32(exactly: wide))
    }

    package mutating func flag() throws(StorageError) -> Bool { try integer() != 0 }

    package mutating func text() throws(StorageError) -> String { try known(optionalText()) }

    package mutating func optionalText() throws(StorageError) -> String? {
        switch try value() {
        case .text(let text): return text
        case .null: return nil
        case .integer, .octets: throw .corrupt
        }
    }

    package mutating func octets() throws(StorageError) -> [UInt8] { try known(optionalOctets()) }

    package mutating func optionalOctets() throws(StorageError) -> [UInt8]? {
        switch try value() {
        case .octets(let octets): return octets
        case .null: return nil
        case .integer, .text: throw .corrupt
        }
    }

    package mutating func fixed<let size: Int, Meaning>() throws(StorageError) -> FixedOctets<size, Meaning> {
        try known(FixedOctets(octets()))
    }

    package mutating func optionalFixed<let size: Int, Meaning>() throws(StorageError)
        -> FixedOctets<size, Meaning>?
    {
        guard let octets = try optionalOctets() else { return nil }
        return try known(FixedOctets(octets))
    }

    private func known<T>(_ value: T?) throws(StorageError) -> T {
        guard let value else { throw .corrupt }
        return value
    }
}
