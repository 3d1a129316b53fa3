// SPDX-License-Identifier: Apache-2.0
// One connection with its own thread, so that waiting for the disk never blocks a thread that serves
// requests.
import Glibc
import MPinStorage
import Synchronization

/// An actor whose jobs run on its own thread. It runs transactions one after another.
actor ConnectionQueue {
    private let executor: ThreadExecutor
    private var connection: (any Connection)?
    private let lives: Lives

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ connection: sending any Connection, _ lives: Lives = Lives()) throws(StorageError) {
        executor = try ThreadExecutor()
        self.lives = lives
        self.connection = connection
    }

    /// Runs `body` as one transaction, which is committed when this returns and rolled back when it throws.
    func transaction<R: Sendable>(
        _ access: Access, _ body: @Sendable (Transaction) throws(StorageError) -> R
    ) throws(StorageError) -> R {
        guard let connection else { throw .closed }
        return try inTransaction(on: connection, access: access, lives: lives, body)
    }

    func close() { connection = nil }

    /// Runs a last transaction and closes the connection, with no other transaction in between.
    func close(after last: @Sendable (Transaction) throws(StorageError) -> Void) {
        // If this fails, the next opening voids the short-lived records.
        try? transaction(.durable, last)
        connection = nil
    }
}

func inTransaction<R>(
    on connection: any Connection, access: Access, lives: Lives = Lives(),
    _ body: (Transaction) throws(StorageError) -> R
) throws(StorageError) -> R {
    try connection.begin(access)
    do throws(StorageError) {
        let result = try body(try Transaction(connection, lives))
        try connection.commit()
        return result
    } catch {
        connection.rollBack()
        throw error
    }
}

/// Runs jobs in order on one thread, which ends when the executor is released.
private final class ThreadExecutor: SerialExecutor {
    private let queue = JobQueue()

    init() throws(StorageError) {
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue().work()
                return nil
            }, Unmanaged.passRetained(queue).toOpaque())
        guard code == 0 else {
            unsafe Unmanaged.passUnretained(queue).release()
            throw .unavailable(code: code)
        }
        pthread_detach(thread)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        queue.add(Job(job: UnownedJob(job), executor: self))
    }

    deinit { queue.add(nil) }
}

/// A job keeps its executor alive until it has run.
@safe private struct Job: Sendable {
    let job: UnownedJob
    let executor: ThreadExecutor

    func run() { unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
}

/// A first-in, first-out queue; nil ends the thread.
private final class JobQueue: Sendable {
    private let jobs = Mutex<[Job?]>([])
    private let ready = Semaphore()

    func add(_ job: Job?) {
        jobs.withLock { $0.append(job) }
        ready.signal()
    }

    /// Takes all waiting jobs at once, so a later signal may find the queue empty.
    func work() {
        while true {
            ready.wait()
            for job in takeAll() {
                guard let job else { return }
                job.run()
            }
        }
    }

    private func takeAll() -> [Job?] {
        jobs.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// The system's counting semaphore.
@safe private final class Semaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        unsafe semaphore.initialize(to: sem_t())
        unsafe sem_init(semaphore, 0, 0)
    }

    func signal() { unsafe sem_post(semaphore) }

    /// Continues to wait when a signal handler interrupts it.
    func wait() { while unsafe sem_wait(semaphore) != 0 {} }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }
}
