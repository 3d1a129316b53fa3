// SPDX-License-Identifier: Apache-2.0
// A transaction; the operations of a database are extensions of it.

/// An open transaction and its time; the storage operations are extensions of it.
package struct Transaction {
    package let connection: any Connection
    package let now: UnixMilliseconds

    init(_ connection: any Connection) throws(StorageError) {
        self.connection = connection
        now = try connection.now()
    }

    package func rows(_ statement: String, _ values: [Value] = []) throws(StorageError) -> [Row] {
        try connection.run(statement, values)
    }

    package func row(_ statement: String, _ values: [Value] = []) throws(StorageError) -> Row? {
        try connection.run(statement, values).first
    }

    package func run(_ statement: String, _ values: [Value] = []) throws(StorageError) {
        _ = try connection.run(statement, values)
    }

    /// Throws `.unavailable(.clock)` if the database's clock is too far from this machine's.
    package func checkClock() throws(StorageError) {
        let offset = connection.clockOffset
        guard abs(offset) < longestClockDifference else { throw .unavailable(.clock(offset / 1000)) }
    }
}
