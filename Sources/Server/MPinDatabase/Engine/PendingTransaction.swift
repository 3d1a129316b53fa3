// SPDX-License-Identifier: Apache-2.0
// A transaction that waits for a connection, and its caller, who waits for the commit.

struct PendingTransaction: Sendable {
    let access: Access
    /// Whether the connection is closed after this transaction.
    let isLast: Bool
    /// Runs the statements; returns what tells the caller the result once the commit is done.
    let run: @Sendable (Transaction) throws(StorageError) -> Committed
    /// Tells the caller that the transaction did not happen.
    let fail: @Sendable (StorageError) -> Void

    typealias Committed = @Sendable () -> Void

    init<R: Sendable>(
        _ access: Access, isLast: Bool = false,
        _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R,
        caller: CheckedContinuation<Result<R, StorageError>, Never>
    ) {
        self.access = access
        self.isLast = isLast
        run = { transaction throws(StorageError) in
            let result = try body(transaction)
            return { caller.resume(returning: .success(result)) }
        }
        fail = { caller.resume(returning: .failure($0)) }
    }
}
