// SPDX-License-Identifier: Apache-2.0
// What an engine gives to the storage: transactions. All queries are written once, above it.

/// A database that runs transactions, each on one of its connections.
protocol SQLDatabase: Sendable {
    /// Runs `body` as one transaction, which is committed when this returns and rolled back when it throws.
    /// `body` may run more than once, if another transaction was in its way.
    func transaction<R: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R

    /// Closes the database after the transactions under way; later ones throw `closed`.
    func close() async
}
