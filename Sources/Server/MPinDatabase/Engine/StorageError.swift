// SPDX-License-Identifier: Apache-2.0
// The errors of the storage protocols.

/// An error of the database. A caller that gets one refuses the request.
package enum StorageError: Error, Equatable, Sendable {
    /// The disk is full, or the file has reached its size limit.
    case full
    /// Another process or transaction held the database, or a part of it, longer than the connection waits.
    case busy
    /// The database is not one of ours, is damaged, or holds a value that this program never writes.
    case corrupt
    /// The database refused a value: a duplicate, a broken reference, or text that it cannot hold.
    case refused
    /// The database was made by another version of the program; the value is the version of its schema.
    case otherVersion(Int64)
    /// The database cannot be opened, read or written for another reason. Nothing was committed.
    case unavailable(StorageUnavailability)
    /// The connection was lost while the transaction was being committed: it may have been done or not. It
    /// must not be repeated as if it had not been done.
    case unknownOutcome
    /// The storage was closed.
    case closed
}

/// Why a database cannot be used.
package enum StorageUnavailability: Equatable, Sendable {
    /// An error code of SQLite or of the system.
    case code(Int32)
    /// An error of PostgreSQL.
    case state(SQLState)
    /// There is no connection, and no new one can be made.
    case away
    /// The connection was lost before the commit.
    case lost
    /// A pooler between us and PostgreSQL keeps no prepared statements.
    case unprepared
    /// The database's clock is this many seconds ahead of this machine's, or behind if negative: too many.
    case clock(Int64)
}

/// The five characters by which PostgreSQL classifies an error (SQLSTATE). Not a `String`, because the
/// compiler (6.3) fails where a `StorageError` is thrown that is more than plain octets.
package struct SQLState: Equatable, Sendable {
    private let packed: UInt64

    /// - Parameter text: at most eight ASCII characters.
    package init(_ text: String) { packed = text.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// The characters.
    package var text: String {
        let octets = (0..<8).reversed().map { UInt8(truncatingIfNeeded: packed >> ($0 * 8)) }
        return String(decoding: octets.drop { $0 == 0 }, as: UTF8.self)
    }
}

extension StorageUnavailability: CustomStringConvertible {
    /// For a log line.
    package var description: String {
        switch self {
        case .code(let code): "error \(code)"
        case .state(let state): "PostgreSQL's error \(state.text)"
        case .away: "cannot connect"
        case .lost: "the connection was lost"
        case .unprepared:
            "the pooler keeps no prepared statements; set `database-prepare = no` in mpind.conf, and give"
                + " --no-database-prepare to the authority"
        case .clock(let seconds): "the database's clock is \(clockDifference(seconds))"
        }
    }
}

/// How the database's clock differs, for a sentence: "90 seconds behind this machine's".
package func clockDifference(_ seconds: Int64) -> String {
    "\(abs(seconds)) seconds \(seconds < 0 ? "behind" : "ahead of") this machine's"
}
