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

    init(_ database: Database, lives: Lives) { (self.database, self.lives) = (database, lives) }

    /// Closes the database after the operations under way; later operations throw `closed`.
    package func close() async { await database.close() }

    /// Runs `body` as one transaction. It may run more than once, if another transaction was in its way.
    func transaction<R: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R { try await database.transaction(access, body) }
}
