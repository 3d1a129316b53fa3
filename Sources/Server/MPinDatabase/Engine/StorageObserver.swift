// SPDX-License-Identifier: Apache-2.0
// What a database reports of its work, for the metrics of the server.

/// Is told what a database does, on whatever thread does it. The methods return at once.
package protocol StorageObserver: Sendable {
    /// A transaction was requested; from now on it waits or runs.
    func transactionBegan()

    /// A transaction ended, `time` after it was requested. `error`: it failed and was rolled back.
    func transactionEnded(_ access: Access, after time: Duration, error: StorageError?)

    /// A transaction is run again because the engine asked for it, as PostgreSQL does after a conflict.
    func transactionRetried()

    /// Transactions that waited run together and share one commit; `writers` of them write.
    func batchBegan(writers: Int)

    /// A connection changed its state; nil before it is opened and after it is closed.
    func connectionChanged(from old: ConnectionState?, to new: ConnectionState?)
}

/// What a connection to the database does.
package enum ConnectionState: String, CaseIterable, Sendable {
    /// It waits for a transaction.
    case idle
    /// It runs transactions.
    case busy
    /// It broke off and is opened again.
    case lost
}

/// The engine of a database.
package enum DatabaseEngine: String, Sendable {
    case sqlite, postgresql
}
