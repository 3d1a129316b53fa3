// SPDX-License-Identifier: Apache-2.0
// A copy from one engine to the other and back has every row that lives longer than a login.
import Foundation
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow, .enabled(if: TestDatabase.cluster != nil)) struct CopyTests {
    /// A database with something in most tables, closed.
    private func filled(_ folder: Folder) async throws -> SQLiteConnection {
        let storage = try ServerDatabase(sqlite: .file(folder.database))
        for number in 0..<600 { _ = try await storage.takeNonce(octets("n\(number)")) }
        for user in ["alice", "bob", "Ünal"] { _ = try await storage.enroll("of " + user, of: user) }
        _ = try await storage.tryProof("of alice", .wrong)
        _ = try await storage.addHost("h", join: JoinCodeRecord(joinID: [1], sealedKey: [2]))
        _ = try await storage.rotateHost("h", join: JoinCodeRecord(joinID: [3], sealedKey: []))
        _ = try await storage.revoke(.user("bob"))
        _ = try await storage.register(request("waiting", of: "dan", network: "n"), by: .confirmation)
        _ = try await storage.checkSecret(SecretCheck(name: "key", value: [1]))
        await storage.close()
        return try SQLiteConnection(.file(folder.database))
    }

    private func copy(_ source: any Connection, _ target: any Connection) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        try DatabaseCopy(from: source, to: target, of: .server).run { counts[$0] = $1 }
        return counts
    }

    @Test func `a copy to PostgreSQL and back is the same, and servers go on with it`() async throws {
        try await withDatabase(isEmpty: true) { database in
            let (folder, back) = (try Folder(), try Folder())
            let counts = try copy(try await filled(folder), PostgresConnection(database.place()))
            #expect(
                counts["identities"] == 3 && counts["registrations"] == 1 && counts["nonces"] == 600
                    && counts["audit"] == 9)
            #expect(counts["heads"] == 1 && counts["otps"] == nil)
            var storage = try ServerDatabase(postgres: database.place())
            #expect(try await storage.identity(id: octets("of bob"))?.revokedAt != nil)
            #expect(try await storage.host("h")?.keys.map(\.epoch) == [2, 1])
            let second = try await storage.tryProof("of alice", .wrong)?.triesLeft
            #expect(second == 1)
            _ = try await storage.enroll("later", of: "carol")
            await storage.close()
            let returned = try copy(
                PostgresConnection(database.place()), SQLiteConnection(.file(back.database)))
            #expect(returned["identities"] == 4 && returned["audit"] == 11)
            storage = try ServerDatabase(sqlite: .file(back.database))
            #expect(try await storage.user("Ünal")?.identities.count == 1)
            _ = try await storage.enroll("last", of: "dora")
            let third = try await storage.tryProof("of alice", .wrong)?.triesLeft
            #expect(third == 0)
        }
    }

    @Test func `an interrupted copy goes on, and no server opens it before it is complete`() async throws {
        try await withDatabase(isEmpty: true) { database in
            let source = try await filled(Folder())
            let place = try database.place()
            let target = try PostgresConnection(place)
            try target.prepare(as: .server.unfinished)
            // It ends after the first tables.
            #expect(throws: PostgresFailure.self) {
                try DatabaseCopy(from: source, to: target, of: .server).run {
                    table, _ throws(StorageError) in
                    if table == "tries" { throw .busy }
                }
            }
            #expect(try target.run("SELECT COUNT(*) FROM identities", []) == [Row([.integer(3)])])
            #expect(try target.run("SELECT COUNT(*) FROM nonces", []) == [Row([.integer(0)])])
            #expect(throws: (any Error).self) { try ServerDatabase(postgres: place) }
            let counts = try copy(source, PostgresConnection(place))
            #expect(counts["users"] == 3 && counts["nonces"] == 600)
            let storage = try ServerDatabase(postgres: place)
            #expect(try await storage.user("alice") != nil)
            await storage.close()
        }
    }

    @Test func `a database in use is no target, and a changed row is noticed`() async throws {
        try await withDatabase(isEmpty: true) { database in
            let source = try await filled(Folder())
            let target = try PostgresConnection(database.place())
            try target.prepare(as: .server.unfinished)
            try database.command("INSERT INTO users (user_id, added_at) VALUES ('alice', 1)")
            #expect(throws: PostgresFailure.self) { _ = try copy(source, target) }
        }
        try await withDatabase { database in
            let source = try await filled(Folder())
            let target = try PostgresConnection(database.place())
            #expect(throws: PostgresFailure.self) { _ = try copy(source, target) }
        }
    }
}
