// SPDX-License-Identifier: Apache-2.0
// The interface of an SQL engine; all queries use it and are written once.
package import MPinStorage
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

    static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null(.text) }
    static func octets(_ octets: [UInt8]?) -> Value { octets.map { .octets($0) } ?? .null(.octets) }
    static func octets<let size: Int, Meaning>(_ value: FixedOctets<size, Meaning>?) -> Value {
        octets(value?.octets)
    }
    static func integer(_ number: (some FixedWidthInteger)?) -> Value {
        number.map { .integer(Int64($0)) } ?? .null(.integer)
    }
    /// The number of rows that a list may have: `limit`, but never more than 1000.
    static func page(_ limit: Int) -> Value { .integer(Int64(min(max(limit, 0), 1000))) }
    static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
}

/// One connection to one database, used by one thread at a time. Statements name their values $1, $2 ... and
/// use only the SQL that SQLite and PostgreSQL share.
package protocol Connection: AnyObject {
    /// The database's clock.
    func now() throws(StorageError) -> UnixMilliseconds
    /// The database's clock minus this machine's, when the transaction began.
    var clockOffset: UnixMilliseconds { get }
    /// Runs one statement to its end and gives the rows that it returned.
    func run(_ statement: String, _ values: [Value]) throws(StorageError) -> [Row]
    func begin(_ access: Access) throws(StorageError)
    func commit() throws(StorageError)
    /// Rolls back the open transaction, if there is one.
    func rollBack()
    /// Waits until no other transaction on this key is under way, until the end of this one. For what one
    /// statement cannot do, such as to count and then insert. Nothing where one writer does all the writing.
    func serialize(on key: SerialKey) throws(StorageError)
    /// The same for the owners of several ids, in one order for all transactions.
    func serialize(onOwnersOf ids: [IdentityHash]) throws(StorageError)
    /// Takes the key together with others: waits while a transaction has it alone, and none gets it alone
    /// before the end of this one.
    func share(_ key: SerialKey) throws(StorageError)
    /// Like `serialize` without waiting: false if another transaction has the key.
    func isAlone(on key: SerialKey) throws(StorageError) -> Bool
}

/// A row, read column by column from the left. A value of another type than expected throws `corrupt`: this
/// program does not write such a value.
package struct Row: Equatable {
    private var rest: ArraySlice<Value>

    package init(_ values: [Value]) { rest = values[...] }

    /// The columns that have not been read.
    var values: [Value] { Array(rest) }

    /// The next column, whatever its type.
    mutating func value() throws(StorageError) -> Value {
        guard let value = rest.popFirst() else { throw .corrupt }
        return value
    }

    mutating func integer() throws(StorageError) -> Int64 {
        guard let number = try optionalInteger() else { throw .corrupt }
        return number
    }

    mutating func optionalInteger() throws(StorageError) -> Int64? {
        switch try value() {
        case .integer(let number): return number
        case .null: return nil
        case .text, .octets: throw .corrupt
        }
    }

    mutating func number<N: FixedWidthInteger>(_: N.Type) throws(StorageError) -> N {
        guard let number = N(exactly: try integer()) else { throw .corrupt }
        return number
    }

    mutating func optionalEpoch() throws(StorageError) -> UInt32? {
        guard let wide = try optionalInteger() else { return nil }
        guard let number = UInt32(exactly: wide) else { throw .corrupt }
        return number
    }

    mutating func flag() throws(StorageError) -> Bool { try integer() != 0 }

    mutating func text() throws(StorageError) -> String {
        guard let text = try optionalText() else { throw .corrupt }
        return text
    }

    mutating func optionalText() throws(StorageError) -> String? {
        switch try value() {
        case .text(let text): return text
        case .null: return nil
        case .integer, .octets: throw .corrupt
        }
    }

    mutating func octets() throws(StorageError) -> [UInt8] {
        guard let octets = try optionalOctets() else { throw .corrupt }
        return octets
    }

    mutating func optionalOctets() throws(StorageError) -> [UInt8]? {
        switch try value() {
        case .octets(let octets): return octets
        case .null: return nil
        case .integer, .text: throw .corrupt
        }
    }
}

extension Row {
    mutating func fixed<let size: Int, Meaning>() throws(StorageError) -> FixedOctets<size, Meaning> {
        guard let value = FixedOctets<size, Meaning>(try octets()) else { throw .corrupt }
        return value
    }

    mutating func optionalFixed<let size: Int, Meaning>() throws(StorageError) -> FixedOctets<size, Meaning>?
    {
        guard let octets = try optionalOctets() else { return nil }
        guard let value = FixedOctets<size, Meaning>(octets) else { throw .corrupt }
        return value
    }
}

/// An open transaction and its time; the storage operations are extensions of it.
struct Transaction {
    let connection: any Connection
    let now: UnixMilliseconds
    let lives: Lives

    init(_ connection: any Connection, _ lives: Lives) throws(StorageError) {
        self.connection = connection
        self.lives = lives
        now = try connection.now()
    }

    func rows(_ statement: String, _ values: [Value] = []) throws(StorageError) -> [Row] {
        try connection.run(statement, values)
    }

    func row(_ statement: String, _ values: [Value] = []) throws(StorageError) -> Row? {
        try connection.run(statement, values).first
    }

    func run(_ statement: String, _ values: [Value] = []) throws(StorageError) {
        _ = try connection.run(statement, values)
    }

    /// Runs a statement that returns the id of each row that it touched.
    func ids(_ statement: String, _ values: [Value]) throws(StorageError) -> [IdentityHash] {
        var ids: [IdentityHash] = []
        for var row in try connection.run(statement, values) { ids.append(try row.fixed()) }
        return ids
    }
}

extension Connection {
    /// Runs `body` as one transaction, which is rolled back when it throws.
    func transaction<R>(
        _ access: Access, _ body: (Transaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        try begin(access)
        do throws(StorageError) {
            let result = try body(try Transaction(self, Lives()))
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }
}
