// SPDX-License-Identifier: Apache-2.0
// PostgreSQL as an engine: which addresses and servers it takes, and what a lost connection means.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

/// These need no server.
struct PostgresPlaceTests {
    @Test(arguments: [
        "postgresql://mpind@db.example.org/mpind", "postgresql:///mpind?host=/run/postgresql",
        "postgresql://mpind@one,two/mpind?sslrootcert=/etc/ssl/ours.pem&sslmode=verify-full",
        "postgresql://mpind@db:5433/mpind?target_session_attrs=read-write",
    ]) func `an address may name server, database, user and certificates`(_ address: String) throws {
        _ = try PostgresPlace(address)
    }

    @Test(arguments: [
        (
            "postgresql://mpind:secret@db/mpind",
            "the address contains a password; put it into a file of its own"
        ),
        (
            "postgresql://db/mpind?password=x",
            "the address contains a password; put it into a file of its own"
        ),
        ("postgresql://db/mpind?sslmode=require", "the address must not set sslmode"),
        ("postgresql://db/mpind?options=-cfsync%3Doff", "the address must not set options"),
        ("postgresql://db/mpind?target_session_attrs=any", "the address must not set target_session_attrs"),
        ("postgresql://db/mpind?service=other", "the address must not set service"),
        ("postgresql://db", "the address names no database"),
        ("mpind", "the address is not like postgresql://USER@HOST/DATABASE"),
        ("postgresql://db/mpind?nonsense=1", "the address is not like postgresql://USER@HOST/DATABASE"),
    ]) func `an address that weakens the connection is refused with a reason`(
        _ address: String, _ expected: String
    ) {
        #expect(reason { () throws(PostgresFailure) in _ = try PostgresPlace(address) } == expected)
    }
}

@Suite(.slow, .enabled(if: TestDatabase.cluster != nil)) struct PostgresTests {
    @Test func `a connection that ended while nobody used it is replaced without an error`() async throws {
        try await withDatabase { database in
            let storage = try ServerDatabase(postgres: database.place())
            _ = try await storage.enroll("one")
            for _ in 0..<5 {
                try database.endConnections()
                #expect(try await storage.identity(id: octets("one")) != nil)
            }
            await storage.close()
        }
    }

    @Test func `a connection that is lost before the commit is an error, at the commit an unknown outcome`()
        async throws
    {
        try await withDatabase { database in
            let own = "SELECT pg_terminate_backend(pg_backend_pid())"
            let insert = "INSERT INTO closings (at) VALUES ($1)"
            let first = try PostgresConnection(database.place())
            try first.begin(.durable)
            _ = try first.run(insert, [.integer(1)])
            #expect(throws: StorageError.unavailable(.lost)) { try first.run(own, []) }
            #expect(throws: StorageError.unavailable(.lost)) { try first.run(insert, [.integer(2)]) }
            let second = try PostgresConnection(database.place())
            try second.begin(.durable)
            _ = try second.run(insert, [.integer(3)])
            try database.endConnections()
            #expect(throws: StorageError.unknownOutcome) { try second.commit() }
            let third = try PostgresConnection(database.place())
            #expect(try third.run("SELECT at FROM closings", []) == [])
        }
    }

    @Test func `each transaction has its own settings, and its plans use indexes from the first row on`()
        async throws
    {
        try await withDatabase { database in
            _ = try ServerDatabase(postgres: database.place())
            let connection = try PostgresConnection(database.place())
            func settings() throws -> [Row] {
                let names = ["synchronous_commit", "statement_timeout", "enable_seqscan"]
                let columns = names.map { "current_setting('\($0)')" }
                return try connection.run("SELECT " + columns.joined(separator: ", "), [])
            }
            for access in [Access.brief, .durable, .read, .voidable] {
                try connection.begin(access)
                let commits: Value = .text(access == .brief ? "off" : "on")
                #expect(try settings() == [Row([commits, .text("3s"), .text("off")])])
                // As the check of a foreign key reads it, while the table is empty.
                let plan = try connection.run("EXPLAIN SELECT 1 FROM audit WHERE number = $1", [.integer(1)])
                #expect("\(plan.prefix(1))".contains("Index"), "\(plan)")
                try connection.commit()
                #expect(try settings() == [Row([.text("on"), .text("0"), .text("on")])])
            }
        }
    }

    @Test func `values come back as they were bound, and text with a zero is refused`() async throws {
        try await withDatabase { database in
            let connection = try PostgresConnection(database.place())
            let values: [Value] = [
                .integer(.min), .integer(-1), .integer(.max), .text("ä€😀 '\"\\"), .text(""),
                .octets([0, 255, 0]),
                .octets([]),
            ]
            #expect(try connection.run("SELECT $1, $2, $3, $4, $5, $6, $7", values) == [Row(values)])
            let nulls: [Value] = [.null(.integer), .null(.text), .null(.octets)]
            let none = Value.null(nil)
            #expect(try connection.run("SELECT $1, $2, $3", nulls) == [Row([none, none, none])])
            #expect(throws: StorageError.refused) { try connection.run("SELECT $1", [.text("a\0b")]) }
        }
    }

    @Test func `a server that could lose commits is refused, and so are other schemas`() async throws {
        try await withDatabase { database in
            let unsafe = try database.place(mustBeDurable: true)
            let expected =
                "PostgreSQL runs with fsync = off, so it could lose counts and revocations; set it to on"
            #expect(
                reason { () throws(PostgresFailure) in _ = try ServerDatabase(postgres: unsafe) } == expected)
            let place = try database.place()
            #expect(
                failure { () throws(PostgresFailure) in _ = try AuthorityBook(postgres: place) }
                    == .corrupt)
            try database.command("UPDATE meta SET version = 99")
            #expect(
                failure { () throws(PostgresFailure) in _ = try ServerDatabase(postgres: place) }
                    == .otherVersion(99))
        }
    }

    @Test func `replicas that start at the same time make the tables once`() async throws {
        try await withDatabase(isEmpty: true) { database in
            let place = try database.place()
            let opened = try await count(8) { _ in
                let storage = try ServerDatabase(postgres: place)
                return try await storage.addHost("h", join: JoinCodeRecord(joinID: [1], sealedKey: [2]))
                    != nil
            }
            #expect(opened == 1)
        }
    }

    @Test func `everything works with statements that are not prepared`() async throws {
        try await withDatabase { database in
            let storage = try ServerDatabase(postgres: database.place(prepares: false))
            _ = try await storage.enroll("one")
            try await storage.tryProof("one", .good)
            #expect(try await storage.redeemProof()?.verdict.result == .good)
            #expect(try await storage.purge() == 0)
            await storage.close()
        }
    }

    @Test func `one replica at a time purges`() async throws {
        try await withDatabase { database in
            let clock = TestClock()
            let time: @Sendable () -> UnixMilliseconds = { clock.milliseconds }
            let storage = try ServerDatabase(postgres: database.place(), clock: time)
            _ = try await storage.takeNonce(octets("n"))
            clock.pass(Limits.nonceLife)
            let other = try PostgresConnection(database.place())
            try other.begin(.brief)
            _ = try other.run("SET LOCAL idle_in_transaction_session_timeout = 0", [])
            #expect(try other.isAlone(on: "purge"))
            #expect(try await storage.purge() == 0)
            try other.commit()
            #expect(try await storage.purge() == 1)
            await storage.close()
        }
    }

    @Test func `of a hundred issues of one hash one succeeds, with two authorities on one book`() async throws
    {
        try await withDatabase(isEmpty: true) { database in
            let books = [
                try AuthorityBook(postgres: database.place()),
                try AuthorityBook(postgres: database.place()),
            ]
            for round in 0..<5 {
                let issued = try await count(100) { number in
                    try await books[number % 2].issueOnce(authority: 1, hash: octets("h\(round)"))
                }
                #expect(issued == 1)
                try await books[0].revoke(hash: octets("h\(round)"))
                #expect(try await books[1].standing(authority: 1, hash: octets("h\(round)")) == .revoked)
            }
        }
    }
}

private func reason(_ body: () throws(PostgresFailure) -> Void) -> String? {
    do throws(PostgresFailure) { try body() } catch {
        if case .reason(let text) = error { return text }
    }
    return nil
}

private func failure(_ body: () throws(PostgresFailure) -> Void) -> StorageError? {
    do throws(PostgresFailure) { try body() } catch {
        if case .storage(let error) = error { return error }
    }
    return nil
}
