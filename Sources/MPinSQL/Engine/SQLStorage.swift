// SPDX-License-Identifier: Apache-2.0
// The SQL storage and its engines. The operations are in the folders of their domains.
package import MPinStorage

/// Everything that mpind stores, in a database of SQL.
package struct SQLStorage: Sendable {
    private let database: any SQLDatabase
    /// The engine of this database.
    package let engine: DatabaseEngine
    private let observer: (any StorageObserver)?
    let placeSearches = PlaceSearches()

    /// Opens the database, or makes it if it does not exist. Unless it was closed in order, the short-lived
    /// records are voided: a user in the middle of a login must begin again.
    package init(
        sqlite location: SQLiteLocation, lives: Lives = Lives(),
        clock: (@Sendable () -> UnixMilliseconds)? = nil, observer: (any StorageObserver)? = nil
    ) throws(StorageError) {
        self.observer = observer
        engine = .sqlite
        database = try SQLiteDatabase(
            location, as: .storage, lives: lives, clock: clock, observer: observer,
            first: { t throws(StorageError) in try t.voidUnlessClosedInOrder() },
            last: { t throws(StorageError) in try t.noteOrderlyClosing() })
    }

    /// Opens the database, and makes its tables if it is empty. Nothing is voided: what was committed is
    /// there after a crash too, except the last commits that did not wait for the disk.
    package init(
        postgres place: PostgresPlace, lives: Lives = Lives(),
        clock: (@Sendable () -> UnixMilliseconds)? = nil, observer: (any StorageObserver)? = nil
    ) throws(PostgresFailure) {
        self.observer = observer
        engine = .postgresql
        database = try PostgresPool(place, as: .storage, lives: lives, clock: clock, observer: observer)
    }

    /// Connects as a server does, and only reads: throws what a server would refuse, and warns of a standby.
    package static func tables(in place: PostgresPlace) throws(PostgresFailure) -> Tables {
        try PostgresPool.connect(place, noting: Outage(warn: place.warn)) { connection throws(StorageError) in
            try connection.transaction(.read) { _ throws(StorageError) -> Tables in
                if try connection.has(.storage) { return .made }
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
    package func close() async { await database.close() }

    /// Runs `body` as one transaction. It may run more than once, if another transaction was in its way.
    func transaction<R: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R {
        guard let observer else { return try await database.transaction(access, body) }
        let began = ContinuousClock.now
        observer.transactionBegan()
        do throws(StorageError) {
            let result = try await database.transaction(access, body)
            observer.transactionEnded(access, after: .now - began, error: nil)
            return result
        } catch {
            observer.transactionEnded(access, after: .now - began, error: error)
            throw error
        }
    }
}

extension SQLStorage {
    /// The version of the tables that this program makes and reads.
    package static var schema: Int64 { Schema.storage.version }
}
