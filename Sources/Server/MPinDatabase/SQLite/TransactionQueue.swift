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

    /// Runs `body` as one transaction, which is committed when this returns and rolled back when it throws.
    func transaction<R: Sendable>(
        _ access: Access, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R {
        try await transaction(access, isLast: false, body)
    }

    /// Closes the connection after the transactions under way; later ones throw `closed`. `last` is the last
    /// transaction, with no other between it and the closing.
    func close(after last: @escaping @Sendable (Transaction) throws(StorageError) -> Void) async {
        // If this fails, the next opening voids the short-lived records.
        try? await transaction(.durable, isLast: true, last)
    }

    func close() async { try? await transaction(.read, isLast: true) { _ in } }

    private func transaction<R: Sendable>(
        _ access: Access, isLast: Bool, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R {
        try await withCheckedContinuation { caller in
            inbox.add(PendingTransaction(access, isLast: isLast, body, caller: caller))
        }.get()
    }
}
