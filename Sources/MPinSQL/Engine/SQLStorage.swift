// SPDX-License-Identifier: Apache-2.0
// Storage over SQL: its connections. The operations are beside their tables, by domain.
package import MPinStorage

/// All writing goes through one connection in the order in which it was asked for, so that no writer waits
/// for another's lock; a second connection reads meanwhile. In memory both are one.
package struct SQLStorage: Sendable {
    private let writer: ConnectionQueue
    private let reader: ConnectionQueue

    /// Opens the database, makes it if it is not there, and, unless it was closed in order, voids the records
    /// that live for seconds: who was in the middle of a login begins again.
    package init(
        sqlite location: SQLiteLocation, lives: Lives = Lives(),
        clock: (@Sendable () -> UnixMilliseconds)? = nil
    ) throws(StorageError) {
        let connection = try SQLiteConnection(location, clock: clock)
        try connection.prepare(as: .storage)
        try inTransaction(on: connection, access: .durable) { t throws(StorageError) in try t.open() }
        writer = try ConnectionQueue(connection, lives)
        switch location {
        case .memory: reader = writer
        case .file: reader = try ConnectionQueue(SQLiteConnection(location, clock: clock), lives)
        }
    }

    /// Closes the database when the operations under way have ended; later ones throw `closed`.
    package func close() async {
        await reader.close()
        await writer.close { t throws(StorageError) in try t.close() }
    }

    /// Runs `body` as one transaction: what only reads, beside the writer; all else behind what was asked for
    /// before it.
    func transaction<R: Sendable>(
        _ access: Access, _ body: @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R {
        switch access {
        case .read: try await reader.transaction(access, body)
        case .brief, .durable: try await writer.transaction(access, body)
        }
    }
}
