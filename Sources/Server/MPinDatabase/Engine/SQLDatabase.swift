// SPDX-License-Identifier: Apache-2.0
// What an engine gives to the storage: transactions. All queries are written once, above it.

/// A database that runs transactions, each on one of its connections.
protocol SQLDatabase: Sendable {
    /// Runs a transaction, and then tells its caller the outcome.
    func run(_ pending: PendingTransaction)

    /// Closes the database after the transactions under way; later ones fail with `closed`.
    func close() async
}
