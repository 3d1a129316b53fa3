// SPDX-License-Identifier: Apache-2.0
// Databases of older versions of the schema, which are brought forward and never back.
import MPinSQL
import MPinStorage
import Testing

@Suite struct MigrationTests {
    /// What takes each version back to the one before it.
    private static let undoing: [[String]] = [
        ["DROP TABLE sessions", "DROP TABLE lookups"],
        ["DROP TABLE closings"],
        [
            "ALTER TABLE verdicts DROP COLUMN otp", "DROP INDEX mpins_by_superseded", "DROP TABLE otps",
            "DROP TABLE otp_questions", "DROP TABLE redirect_uris", "DROP TABLE application_sessions",
            "DROP TABLE authorization_codes", "DROP TABLE applications",
        ],
        [
            "DROP TABLE browsers", "DROP TABLE awaited", "ALTER TABLE registrations DROP COLUMN activate_key",
            "ALTER TABLE mpins DROP COLUMN failures", "ALTER TABLE mpins DROP COLUMN blocked_at",
        ],
        ["ALTER TABLE verdicts DROP COLUMN client_id"],
    ]

    @Test(arguments: 1...undoing.count)
    func `a database of an older version is brought forward with all that is in it`(
        _ version: Int
    ) async throws {
        let folder = try Folder()
        var storage = try SQLStorage(sqlite: .file(folder.database))
        _ = try await storage.enroll("one")
        _ = try await storage.register(request("two"), by: .confirmation)
        await storage.close()
        let connection = try SQLiteConnection(.file(folder.database))
        let newest = Int64(Self.undoing.count + 1)
        for statement in Self.undoing[(version - 1)...].reversed().joined() {
            _ = try connection.run(statement, [])
        }
        _ = try connection.run("PRAGMA user_version = \(version)", [])
        storage = try SQLStorage(sqlite: .file(folder.database))
        let mpin = try #require(await storage.mpin(id: octets("one")))
        #expect(mpin.blockedAt == nil)
        #expect(try await storage.session(.wid("w")) == nil)
        #expect(try await storage.applications(limit: 1) == [])
        #expect(try await storage.browser(.session(.wid("w"))) == nil)
        #expect(try await storage.waitingRegistrations().map(\.description.id) == [octets("two")])
        try await storage.tryProof("one", .good)
        #expect(try await storage.redeemProof()?.verdict.result == .good)
        #expect(try connection.run("PRAGMA user_version", []) == [Row([.integer(newest)])])
    }
}
