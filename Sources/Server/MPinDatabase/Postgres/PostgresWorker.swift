// SPDX-License-Identifier: Apache-2.0
// Runs transactions on one connection, and connects again when it was lost.
import Glibc
import Synchronization

/// Used by one thread.
final class PostgresWorker {
    private let place: PostgresPlace
    private let clock: (@Sendable () -> UnixMilliseconds)?
    private let outage: Outage
    private let observer: (any StorageObserver)?
    private var connection: PostgresConnection?
    private var state: ConnectionState? {
        didSet { if state != oldValue { observer?.connectionChanged(from: oldValue, to: state) } }
    }
    /// How often a transaction is run again that only failed because of another one.
    private static let repeats = 3

    init(
        _ place: PostgresPlace, clock: (@Sendable () -> UnixMilliseconds)?, outage: Outage,
        observer: (any StorageObserver)? = nil
    ) {
        (self.place, self.clock, self.outage) = (place, clock, outage)
        self.observer = observer
    }

    /// Runs a transaction and tells its caller the outcome.
    func run(_ one: PendingTransaction) {
        state = .busy
        defer { state = connection == nil ? .lost : .idle }
        for number in 0...PostgresWorker.repeats {
            do throws(StorageError) {
                let connection = try begun(one.access)
                let tell = try commit(one, on: connection)
                return tell()
            } catch {
                let mayRepeat = connection?.wasInTheWay == true && number < PostgresWorker.repeats
                if !mayRepeat { return one.fail(error) }
                observer?.transactionRetried()
            }
        }
    }

    func close() {
        connection = nil
        state = nil
    }

    private func commit(
        _ one: PendingTransaction, on connection: PostgresConnection
    ) throws(StorageError) -> PendingTransaction.Committed {
        defer { if connection.isLost { self.connection = nil } }
        do throws(StorageError) {
            let tell = try one.run(try Transaction(connection))
            try connection.commit()
            return tell
        } catch {
            connection.rollBack()
            // Nothing was to be changed, so the outcome is known.
            throw error == .unknownOutcome && one.access == .read
                ? .unavailable(.lost) : error
        }
    }

    /// A connection on which a transaction has begun. One that was lost while it was not used, as after a
    /// restart of the server, is replaced without an error: nothing was done on it.
    private func begun(_ access: Access) throws(StorageError) -> PostgresConnection {
        if let connection {
            do throws(StorageError) {
                try connection.begin(access)
                outage.note(clockOffset: connection.clockOffset)
                return connection
            } catch {
                connection.rollBack()
                guard connection.isLost else { throw error }
                self.connection = nil
            }
        }
        let fresh = try outage.connected { () throws(PostgresFailure) in
            let fresh = try PostgresConnection(place, clock: clock)
            outage.note(hasLaggingStandby: try fresh.hasLaggingStandby())
            return fresh
        }
        try fresh.begin(access)
        outage.note(clockOffset: fresh.clockOffset)
        connection = fresh
        return fresh
    }
}

/// What all connections of a pool know of the database's state. While it is away, callers are refused at once
/// instead of waiting one after another.
final class Outage: Sendable {
    private struct Failure {
        let error: StorageError
        let end: Int64
    }

    private let last = Mutex<Failure?>(nil)
    private let isClockWrong = Atomic(false)
    private let hasLaggingStandby = Atomic(false)
    private let warn: @Sendable (String) -> Void
    /// How long after a failed attempt no other one is made, in milliseconds.
    private static let pause: Int64 = 250

    init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Warns when the database's clock begins to be too far from this machine's. It must come clearly nearer
    /// before there is another warning.
    func note(clockOffset offset: UnixMilliseconds) {
        let limit = longestClockDifference
        let isWrong = abs(offset) >= (isClockWrong.load(ordering: .relaxed) ? limit * 3 / 4 : limit)
        guard isClockWrong.exchange(isWrong, ordering: .relaxed) != isWrong, isWrong else { return }
        warn(
            "The database's clock is \(clockDifference(offset / 1000)). Until one of them is set right, no"
                + " login begins, and no client secret, host key or time permit is issued.")
    }

    /// Warns when a fresh connection is the first that sees such a standby.
    func note(hasLaggingStandby isThere: Bool) {
        guard hasLaggingStandby.exchange(isThere, ordering: .relaxed) != isThere, isThere else { return }
        warn(
            "The database has a standby that commits do not wait for: if it is promoted, the latest counts"
                + " and revocations may be missing there. Let synchronous_standby_names wait for every"
                + " standby that may be promoted, as in 'FIRST 2 (a, b)', with synchronous_commit = on.")
    }

    /// Connects; throws the error of another thread's attempt if that has just failed.
    func connected(
        _ connect: () throws(PostgresFailure) -> PostgresConnection
    ) throws(StorageError) -> PostgresConnection {
        if let failure = last.withLock({ $0 }), milliseconds(CLOCK_MONOTONIC) < failure.end {
            throw failure.error
        }
        do {
            return try connect()
        } catch {
            let told: StorageError
            switch error {
            case .storage(let error): told = error
            case .reason(let why):
                told = .unavailable(.away)
                warn("Cannot connect to the database: \(why).")
            }
            last.withLock { $0 = Failure(error: told, end: milliseconds(CLOCK_MONOTONIC) + Outage.pause) }
            throw told
        }
    }
}
