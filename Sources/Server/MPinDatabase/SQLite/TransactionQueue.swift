// SPDX-License-Identifier: Apache-2.0
// The transactions of one connection, on a thread of their own, so that waiting for the disk never blocks a
// thread that serves requests.

/// One connection and the transactions that wait for it, in the order of the calls.
final class TransactionQueue: Sendable {
    /// nil ends the thread.
    private let inbox = Inbox<PendingTransaction?>()
    /// Bounds how long the first of the transactions that share a commit waits for the others.
    private static let batchLimit = 64

    init(
        _ connection: sending any Connection,
        observer: (any StorageObserver)? = nil
    ) throws(StorageError) {
        let batches = CommitBatches(connection)
        observer?.connectionChanged(from: nil, to: .idle)
        try startThread { [inbox] in
            while true {
                let taken = inbox.take(atMost: TransactionQueue.batchLimit)
                observer?.connectionChanged(from: .idle, to: .busy)
                observer?.batchBegan(writers: taken.count { $0.map { $0.access != .read } ?? false })
                batches.run(taken.compactMap(\.self))
                observer?.connectionChanged(from: .busy, to: .idle)
                if taken.contains(where: { $0 == nil }) { break }
            }
            observer?.connectionChanged(from: .idle, to: nil)
        }
    }

    deinit { inbox.add(nil) }

    func add(_ pending: PendingTransaction) { inbox.add(pending) }

    /// Closes the connection after the transactions under way; later ones throw `closed`. `last` is the last
    /// transaction, with no other between it and the closing.
    func close(
        after access: Access, _ last: @escaping @Sendable (Transaction) throws(StorageError) -> Void
    ) async {
        _ = await withCheckedContinuation { caller in
            inbox.add(PendingTransaction(access, isLast: true, last, caller: caller))
        }
    }
}
