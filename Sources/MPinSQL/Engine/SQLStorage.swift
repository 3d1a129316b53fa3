// SPDX-License-Identifier: Apache-2.0
// The connections of the SQL storage. The operations are in the folders of their domains.
package import MPinStorage

/// All writes go through one connection, in the order of the calls, so that no writer waits for another's
/// lock. A second connection reads meanwhile. A database in memory has one connection for both.
package struct SQLStorage: Sendable {
    private let writer: TransactionQueue
    private let reader: TransactionQueue
    private let observer: (any StorageObserver)?

    /// Opens the database, or makes it if it does not exist. Unless it was closed in order, the short-lived
    /// records are voided: a user in the middle of a login must begin again.
    package init(
        sqlite location: SQLiteLocation, lives: Lives = Lives(),
        clock: (@Sendable () -> UnixMilliseconds)? = nil, observer: (any StorageObserver)? = nil
    ) throws(StorageError) {
        let connection = try SQLiteConnection(location, clock: clock)
        try connection.prepare(as: .storage)
        try connection.transaction(.durable) { t throws(StorageError) in try t.open() }
        self.observer = observer
        writer = try TransactionQueue(connection, lives, observer: observer)
        switch location {
        case .memory: reader = writer
        case .file:
            reader = try TransactionQueue(
                SQLiteConnection(location, clock: clock), lives, observer: observer)
        }
    }

    /// Closes the database after the operations under way; later operations throw `closed`.
    package func close() async {
        await reader.close()
        await writer.close { t throws(StorageError) in try t.close() }
    }

    /// Runs `body` as one transaction: a reading one beside the writer, any other after those that were
    /// requested before it.
    func transaction<R: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R {
        let queue = access == .read ? reader : writer
        guard let observer else { return try await queue.transaction(access, body) }
        let began = ContinuousClock.now
        observer.transactionBegan()
        do throws(StorageError) {
            let result = try await queue.transaction(access, body)
            observer.transactionEnded(access, after: .now - began, error: nil)
            return result
        } catch {
            observer.transactionEnded(access, after: .now - began, error: error)
            throw error
        }
    }
}

extension SQLStorage {
    /// The engine of this database.
    package var engine: DatabaseEngine { .sqlite }
    /// The version of the tables that this program makes and reads.
    package static var schema: Int64 { Schema.storage.version }
}
