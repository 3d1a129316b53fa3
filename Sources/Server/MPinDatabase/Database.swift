// SPDX-License-Identifier: Apache-2.0
// A database of one engine, which runs transactions.

/// A database with the tables of one schema.
package struct Database: Sendable {
    private let runner: any SQLDatabase
    /// The engine of this database.
    package let engine: DatabaseEngine
    private let observer: (any StorageObserver)?

    /// Opens the database, or makes it if it does not exist. `first` is its first transaction and `last` the
    /// last one. Throws `otherVersion` for a database of another version of the schema.
    package init(
        sqlite location: SQLiteLocation, as schema: Schema, clock: (@Sendable () -> UnixMilliseconds)? = nil,
        observer: (any StorageObserver)? = nil,
        first: @Sendable (Transaction) throws(StorageError) -> Void = { _ in },
        last: @escaping @Sendable (Transaction) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        self.observer = observer
        engine = .sqlite
        runner = try SQLiteDatabase(
            location, as: schema, clock: clock, observer: observer, first: first, last: last)
    }

    /// Opens the database, and makes its tables if it is empty.
    package init(
        postgres place: PostgresPlace, as schema: Schema, clock: (@Sendable () -> UnixMilliseconds)? = nil,
        observer: (any StorageObserver)? = nil
    ) throws(PostgresFailure) {
        self.observer = observer
        engine = .postgresql
        runner = try PostgresPool(place, as: schema, clock: clock, observer: observer)
    }

    /// Connects as a server does, and only reads: throws what a server would refuse, and warns of a standby.
    package static func tables(
        of schema: Schema, in place: PostgresPlace
    ) throws(PostgresFailure) -> Tables {
        try PostgresPool.connect(place, noting: Outage(warn: place.warn)) { connection throws(StorageError) in
            try connection.transaction(.read) { _ throws(StorageError) -> Tables in
                if try connection.has(schema) { return .made }
                return try connection.mayMakeTables() ? .missing : .forbidden
            }
        }
    }

    /// The state of a database that a server would take otherwise.
    package enum Tables: Sendable {
        case made
        /// The first server makes them.
        case missing
        /// They are missing, and this role may not make them.
        case forbidden
    }

    /// Closes the database after the operations under way; later operations throw `closed`.
    package func close() async { await runner.close() }

    /// Runs `body` as one transaction. It may run more than once, if another transaction was in its way.
    package func transaction<R: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R {
        let began = ContinuousClock.now
        observer?.transactionBegan()
        let result = await withCheckedContinuation { caller in
            runner.run(PendingTransaction(access, body, caller: caller))
        }
        let error: StorageError? = if case .failure(let error) = result { error } else { nil }
        observer?.transactionEnded(access, after: .now - began, error: error)
        return try result.get()
    }
}
