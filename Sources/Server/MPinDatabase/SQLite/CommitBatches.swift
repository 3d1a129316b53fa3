// SPDX-License-Identifier: Apache-2.0
// Group commit: transactions that wait at the same time share one commit, and so one wait for the disk.

/// Runs transactions on one connection; used by one thread. Each is a savepoint of its own, so one that fails
/// takes nothing of the others with it. No caller learns of a result before the commit that all share.
final class CommitBatches {
    /// nil once a last transaction has closed it.
    private var connection: (any Connection)?

    init(_ connection: any Connection) {
        self.connection = connection
    }

    /// Runs transactions in their order. The last one has a commit of its own, and its caller learns of it
    /// when the connection is closed: only then has SQLite moved everything from its log into the file.
    func run(_ waiting: [PendingTransaction]) {
        let ordinary = waiting.prefix { !$0.isLast }
        if !ordinary.isEmpty { for tell in commit(ordinary) { tell() } }
        guard let last = waiting.dropFirst(ordinary.count).first else { return }
        let tells = commit([last])
        connection = nil
        for tell in tells { tell() }
        run(Array(waiting.dropFirst(ordinary.count + 1)))
    }

    /// Returns what tells the callers the outcome.
    private func commit(_ batch: ArraySlice<PendingTransaction>) -> [() -> Void] {
        do throws(StorageError) {
            guard let connection else { throw .closed }
            try connection.begin(batch.map(\.access).max() ?? .read)
            var tells: [() -> Void] = []
            for one in batch { tells.append(try run(one, on: connection, shares: batch.count > 1)) }
            try connection.commit()
            return tells
        } catch {
            connection?.rollBack()
            return batch.map { one in { one.fail(error) } }
        }
    }

    /// Returns what tells the caller the outcome after the commit. Throws if the whole batch must be rolled
    /// back: if this transaction is alone, or if the engine has already done so, as SQLite does when the disk
    /// is full.
    private func run(
        _ one: PendingTransaction, on connection: any Connection, shares: Bool
    ) throws(StorageError) -> () -> Void {
        let transaction = try Transaction(connection)
        guard shares else { return try one.run(transaction) }
        try transaction.run("SAVEPOINT one")
        do throws(StorageError) {
            let committed = try one.run(transaction)
            try transaction.run("RELEASE one")
            return committed
        } catch {
            do throws(StorageError) {
                try transaction.run("ROLLBACK TO one")
                try transaction.run("RELEASE one")
            } catch _ {
                throw error
            }
            return { one.fail(error) }
        }
    }
}
