// SPDX-License-Identifier: Apache-2.0
// The database of a server. Its operations are in the rooms, in the files of statements.
package import MPinDatabase

/// Everything that mpind stores. Every operation is one transaction, which is committed when the operation
/// returns. Taking or using up a record is one statement, so only one of several concurrent callers succeeds,
/// on any replica. Times are of the database's clock. Texts are compared octet by octet.
package struct ServerDatabase: Sendable {
    private let database: Database
    let lives: Lives
    let placeSearches = PlaceSearches()
    /// The engine of this database.
    package var engine: DatabaseEngine { database.engine }

    /// Opens the database, or makes it if it does not exist. Unless it was closed in order, the short-lived
    /// records are voided: a user in the middle of a login must begin again.
    package init(
        sqlite location: SQLiteLocation, lives: Lives = Lives(),
        clock: (@Sendable () -> UnixMilliseconds)? = nil, observer: (any StorageObserver)? = nil
    ) throws(StorageError) {
        self.lives = lives
        database = try Database(
            sqlite: location, as: .server, clock: clock, observer: observer,
            first: { t throws(StorageError) in try t.voidUnlessClosedInOrder() },
            last: { t throws(StorageError) in try t.noteOrderlyClosing() })
    }

    /// Opens the database, and makes its tables if it is empty. Nothing is voided: what was committed is
    /// there after a crash too, except the last commits that did not wait for the disk.
    package init(
        postgres place: PostgresPlace, lives: Lives = Lives(),
        clock: (@Sendable () -> UnixMilliseconds)? = nil, observer: (any StorageObserver)? = nil
    ) throws(PostgresFailure) {
        self.lives = lives
        database = try Database(postgres: place, as: .server, clock: clock, observer: observer)
    }

    /// Closes the database after the operations under way; later operations throw `closed`.
    package func close() async { await database.close() }

    /// Runs `body` as one transaction. It may run more than once, if another transaction was in its way.
    func transaction<R: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R { try await database.transaction(access, body) }
}
