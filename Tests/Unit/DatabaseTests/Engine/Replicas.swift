// SPDX-License-Identifier: Apache-2.0
// Two storages with the same database, as two daemons have it.
@testable import MPinDatabase
@testable import MPinServer

/// Runs with the same storage twice, or with two that have one file open or, by sixteen connections, one
/// database of PostgreSQL.
func withReplicas(_ engine: Engine, _ body: ([ServerDatabase]) async throws -> Void) async throws {
    let clock = TestClock()
    let time: @Sendable () -> UnixMilliseconds = { clock.milliseconds }
    switch engine {
    case .memory:
        let storage = try ServerDatabase(sqlite: .memory, clock: time)
        try await body([storage, storage])
    case .file:
        let folder = try Folder()
        let first = try ServerDatabase(sqlite: .file(folder.database), clock: time)
        try await body([first, ServerDatabase(sqlite: .file(folder.database), clock: time)])
        withExtendedLifetime(folder) {}
    case .postgres:
        try await withDatabase { database in
            let place = try database.place(connections: 8)
            let replicas = [
                try ServerDatabase(postgres: place, clock: time),
                try ServerDatabase(postgres: place, clock: time),
            ]
            try await body(replicas)
            for replica in replicas { await replica.close() }
        }
    }
}
