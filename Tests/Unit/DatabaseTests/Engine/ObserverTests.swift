// SPDX-License-Identifier: Apache-2.0
// What a database reports to an observer must be what it does.
@testable import MPinDatabase
@testable import MPinServer
import Synchronization
import Testing

/// Notes everything that is reported.
private final class Notes: StorageObserver {
    struct State {
        var waiting = 0
        var ended: [Access: Int] = [:]
        var errors: [StorageError] = []
        var writers = 0
        var connections: [ConnectionState: Int] = [:]
    }

    let state = Mutex(State())

    func transactionBegan() { state.withLock { $0.waiting += 1 } }

    func transactionEnded(_ access: Access, after time: Duration, error: StorageError?) {
        state.withLock { state in
            state.waiting -= 1
            state.ended[access, default: 0] += 1
            if let error { state.errors.append(error) }
        }
    }

    func transactionRetried() {}

    func batchBegan(writers: Int) { state.withLock { $0.writers += writers } }

    func connectionChanged(from old: ConnectionState?, to new: ConnectionState?) {
        state.withLock { state in
            if let old { state.connections[old, default: 0] -= 1 }
            if let new { state.connections[new, default: 0] += 1 }
        }
    }
}

struct ObserverTests {
    @Test func `each transaction is reported once, with its access and its error`() async throws {
        let notes = Notes()
        let storage = try ServerDatabase(sqlite: .memory, observer: notes)
        for number in 0..<50 {
            #expect(try await storage.takeNonce(octets("nonce \(number)")))
            _ = try await storage.clock()
        }
        let open = notes.state.withLock { $0 }
        #expect(open.waiting == 0 && open.errors == [])
        #expect(open.ended.values.reduce(0, +) == 100 && open.ended[.read] == 50 && open.writers == 50)
        await storage.close()
        await #expect(throws: StorageError.closed) { try await storage.clock() }
        let closed = notes.state.withLock { $0 }
        #expect(closed.waiting == 0 && closed.errors == [.closed])
    }

    @Test func `a connection is reported until its storage is gone`() async throws {
        let notes = Notes()
        let count = { notes.state.withLock { $0.connections.values.reduce(0, +) } }
        do {
            let storage = try ServerDatabase(sqlite: .memory, observer: notes)
            _ = try await storage.clock()
            #expect(count() == 1)
            await storage.close()
        }
        // The connection's thread ends by itself.
        for _ in 0..<6000 where count() != 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(count() == 0)
        #expect(notes.state.withLock { $0.connections[.idle] == 0 && $0.connections[.busy] == 0 })
    }

    @Test func `the clock of the database is that of its transactions`() async throws {
        let storage = try ServerDatabase(sqlite: .memory, clock: { 1_764_000_000_123 })
        #expect(try await storage.clock() == 1_764_000_000_123)
    }
}
