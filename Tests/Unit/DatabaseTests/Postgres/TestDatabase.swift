// SPDX-License-Identifier: Apache-2.0
// Databases in a private cluster of PostgreSQL, which Tests/System/Postgres/unit starts.
import Foundation
@testable import MPinDatabase
@testable import MPinServer

/// A database of its own for a test, removed with the value.
final class TestDatabase: Sendable {
    /// The folder of the cluster's socket; nil if there is no cluster.
    static let cluster = ProcessInfo.processInfo.environment["MPIN_POSTGRES"]
    /// Has the tables already, so that a test need not make them.
    private static let template = Result { try made("template_\(getpid())", from: "template0", opens: true) }

    let name: String

    /// - Parameter isEmpty: without the tables.
    fileprivate init(isEmpty: Bool = false) throws {
        name = try TestDatabase.made(
            "t" + UUID().uuidString.lowercased().filter { $0 != "-" },
            from: isEmpty ? "template0" : TestDatabase.template.get())
    }

    deinit { try? TestDatabase.command("DROP DATABASE \(name) WITH (FORCE)") }

    func place(
        connections: Int = 2, prepares: Bool = true, mustBeDurable: Bool = false
    ) throws -> PostgresPlace {
        try TestDatabase.place(
            name, connections: connections, prepares: prepares, mustBeDurable: mustBeDurable)
    }

    private static func place(
        _ name: String, connections: Int = 1, prepares: Bool = true, mustBeDurable: Bool = false
    ) throws -> PostgresPlace {
        try PostgresPlace(
            "postgresql://postgres@/\(name)?host=\(cluster ?? "/nowhere")", prepares: prepares,
            connections: connections, mustBeDurable: mustBeDurable)
    }

    private static func made(_ name: String, from template: String, opens: Bool = false) throws -> String {
        try command("CREATE DATABASE \(name) TEMPLATE \(template)")
        if opens { try PostgresConnection(place(name)).prepare(as: .server) }
        return name
    }

    static func command(_ statement: String, in name: String = "postgres") throws {
        let connection = try PostgresConnection(place(name))
        _ = try connection.run("SET statement_timeout = 0", [])
        _ = try connection.run(statement, [])
    }

    /// Runs a statement in the database, without values.
    func command(_ statement: String) throws { try TestDatabase.command(statement, in: name) }

    /// Ends all other connections to the database, as a restart of the server does.
    func endConnections() throws {
        let others = "datname = '\(name)' AND pid <> pg_backend_pid()"
        try command("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE \(others)")
    }
}

/// Runs a test with a database of its own. All tests begin at once, so each waits here for its turn: the
/// server has a limit on connections.
func withDatabase<R>(
    isEmpty: Bool = false, _ body: (TestDatabase) async throws -> sending R
) async throws -> sending R {
    await turns.take()
    do {
        let database = try TestDatabase(isEmpty: isEmpty)
        let result = try await body(database)
        await turns.giveBack()
        return result
    } catch {
        await turns.giveBack()
        throw error
    }
}

private let turns = Turns()

private actor Turns {
    private var free = 8
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    }

    func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
