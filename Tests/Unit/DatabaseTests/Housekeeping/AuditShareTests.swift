// SPDX-License-Identifier: Apache-2.0
// Who can push whose records out of the audit trail: nobody those of a host or a device that has fewer.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct AuditShareTests {
    /// A granted login of `subject` at a host.
    private func login(_ subject: String, at host: String = "", _ verdict: String = "granted") -> AuditEvent {
        AuditEvent(
            kind: "login", subject: subject, host: host, fields: [AuditField("verdict", verdict)])
    }

    /// So many records, as logins or refusals leave them, of one host and one device after the other.
    private func fill(
        _ connection: SQLiteConnection, _ count: Int64, as retention: AuditRetention, host: String,
        subjects: Int64 = 1
    ) throws {
        _ = try connection.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
            INSERT INTO audit (at, kind, subject, host, source, attempt, retention)
            SELECT 0, 'login', 'flood' || i % $2, $3, '', '', $4 FROM n
            """, [.integer(count), .integer(subjects), .text(host), .integer(retention.rawValue)])
    }

    /// A database with 5 logins of alice at prod-db1, purged after a flood.
    private func subjects(after flood: (SQLiteConnection) throws -> Void) async throws -> [String] {
        let folder = try Folder()
        let storage = try ServerDatabase(sqlite: .file(folder.database))
        for _ in 0..<5 { try await storage.append(login("alice", at: "prod-db1")) }
        await storage.close()
        try flood(SQLiteConnection(.file(folder.database)))
        let again = try ServerDatabase(sqlite: .file(folder.database))
        _ = try await again.purge()
        #expect(try await again.purge() == 0)
        let oldest = try await again.auditRecords(AuditQuery(before: 6), limit: 9)
        withExtendedLifetime(folder) {}
        return oldest.map(\.event.subject)
    }

    private let all = [String](repeating: "alice", count: 5)

    @Test func `the key of one host pushes no login at another host out of the trail`() async throws {
        #expect(
            try await subjects {
                try fill($0, Limits.loginRecords + 500, as: .logins, host: "captured", subjects: 50_000)
            } == all)
    }

    @Test func `one device pushes no login of another device out of the trail`() async throws {
        #expect(
            try await subjects {
                try fill($0, Limits.loginRecords + 500, as: .logins, host: "prod-db1")
            } == all)
    }

    @Test func `a stranger who is refused again and again pushes no login out of the trail`() async throws {
        #expect(
            try await subjects {
                try fill($0, Limits.refusalRecords * 6, as: .refusals, host: "prod-db1", subjects: 1000)
            } == all)
    }

    @Test func `the last login of each identity stays, whatever comes after it`() async throws {
        let folder = try Folder()
        let storage = try ServerDatabase(sqlite: .file(folder.database))
        for subject in ["alice", "bob", "alice"] { try await storage.append(login(subject, at: "h")) }
        try await storage.append(login("alice", at: "h", "wrong"))
        try await storage.append(login("alice", at: "other"))
        await storage.close()
        let connection = try SQLiteConnection(.file(folder.database))
        let kept = try connection.run("SELECT retention FROM audit ORDER BY number", [])
        let expected = [AuditRetention.logins, .lastLogin, .lastLogin, .refusals, .lastLogin]
        #expect(kept == expected.map { Row([.integer($0.rawValue)]) })
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Engine.allCases)
    func `of wrong codes the oldest go, however many names a stranger gives`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            for number in 0..<Limits.wrongCodeRecords + 3 {
                try await storage.append(AuditEvent(kind: "code.wrong", subject: "name\(number)"))
            }
            #expect(try await storage.purge() == 3)
            let oldest = try await storage.auditRecords(AuditQuery(before: 6), limit: 9)
            #expect(oldest.map(\.event.subject) == ["name4", "name3"])
        }
    }
}
