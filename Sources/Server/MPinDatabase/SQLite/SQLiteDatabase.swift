// SPDX-License-Identifier: Apache-2.0
// A SQLite database: one connection that writes, and one that reads meanwhile.

/// All writes go through one connection, in the order of the calls, so that no writer waits for another's
/// lock. A second connection reads meanwhile. A database in memory has one connection for both.
struct SQLiteDatabase: SQLDatabase {
    private let writer: TransactionQueue
    private let reader: TransactionQueue
    private let last: @Sendable (Transaction) throws(StorageError) -> Void

    /// Opens the database, or makes it if it does not exist. `first` is its first transaction and `last` the
    /// last one.
    init(
        _ location: SQLiteLocation, as schema: Schema,
        clock: (@Sendable () -> UnixMilliseconds)? = nil, observer: (any StorageObserver)? = nil,
        first: @Sendable (Transaction) throws(StorageError) -> Void = { _ in },
        last: @escaping @Sendable (Transaction) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        let connection = try SQLiteConnection(location, clock: clock)
        try connection.prepare(as: schema)
        try connection.transaction(.durable, first)
        writer = try TransactionQueue(connection, observer: observer)
        switch location {
        case .memory: reader = writer
        case .file:
            reader = try TransactionQueue(
                SQLiteConnection(location, clock: clock), observer: observer)
        }
        self.last = last
    }

    func run(_ pending: PendingTransaction) { (pending.access == .read ? reader : writer).add(pending) }

    func close() async {
        if reader !== writer { await reader.close(after: .read) { _ in } }
        // If this fails, the next opening voids the short-lived records.
        await writer.close(after: .durable, last)
    }
}
