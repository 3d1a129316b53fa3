// SPDX-License-Identifier: Apache-2.0
// The connections to a PostgreSQL database: a thread for each, all of which take from one queue.
import Synchronization

final class PostgresPool: SQLDatabase {
    private let queue: PostgresQueue

    /// Connects, and makes or checks the tables.
    init(
        _ place: PostgresPlace, as schema: Schema,
        clock: (@Sendable () -> UnixMilliseconds)? = nil, observer: (any StorageObserver)? = nil
    ) throws(PostgresFailure) {
        let outage = Outage(warn: place.warn)
        try PostgresPool.connect(place, clock: clock, noting: outage) { connection throws(StorageError) in
            try connection.prepare(as: schema)
        }
        queue = PostgresQueue(threads: place.connections)
        for _ in 0..<place.connections {
            do {
                try startThread { [queue] in
                    let worker = PostgresWorker(place, clock: clock, outage: outage, observer: observer)
                    while let next = queue.next() { worker.run(next) }
                    worker.close()
                    queue.end()
                }
            } catch { throw .storage(error) }
        }
    }

    /// The first connection: throws what a server refuses, and warns of a standby. `body` reads or makes the
    /// tables.
    static func connect<R>(
        _ place: PostgresPlace, clock: (@Sendable () -> UnixMilliseconds)? = nil, noting outage: Outage,
        _ body: (PostgresConnection) throws(StorageError) -> R
    ) throws(PostgresFailure) -> R {
        let connection = try PostgresConnection(place, clock: clock)
        let result = try connection.explained { () throws(StorageError) in try body(connection) }
        outage.note(hasLaggingStandby: try connection.hasLaggingStandby())
        // A pooler that shares one connection of the server between these two is refused now.
        if place.prepares { _ = try PostgresConnection(place, clock: clock) }
        return result
    }

    deinit { _ = queue.close() }

    func run(_ pending: PendingTransaction) {
        if !queue.add(pending) { pending.fail(.closed) }
    }

    func close() async {
        await withCheckedContinuation { caller in
            if queue.close({ caller.resume() }) { caller.resume() }
        }
    }
}

/// What waits for a connection, and how many threads work on it.
final class PostgresQueue: Sendable {
    private struct State {
        var isClosed = false
        var threads: Int
        var waiting: [@Sendable () -> Void] = []
    }

    /// nil ends a thread.
    private let inbox = Inbox<PendingTransaction?>()
    private let state: Mutex<State>

    init(threads: Int) { state = Mutex(State(threads: threads)) }

    /// False if the queue is closed.
    func add(_ pending: PendingTransaction) -> Bool {
        state.withLock { state in
            if !state.isClosed { inbox.add(pending) }
            return !state.isClosed
        }
    }

    /// Waits for a transaction; nil at the end.
    func next() -> PendingTransaction? { inbox.take(atMost: 1).first ?? nil }

    /// Notes the end of a thread.
    func end() {
        let told = state.withLock { state in
            state.threads -= 1
            return state.threads == 0 ? state.waiting : []
        }
        for tell in told { tell() }
    }

    /// Ends the threads after what waits now. `tell` is called after the last one ends; if all have ended
    /// already, it is not called and the result is true.
    func close(_ tell: @escaping @Sendable () -> Void = {}) -> Bool {
        state.withLock { state in
            if !state.isClosed { for _ in 0..<state.threads { inbox.add(nil) } }
            state.isClosed = true
            if state.threads > 0 { state.waiting.append(tell) }
            return state.threads == 0
        }
    }
}
