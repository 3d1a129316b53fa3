// SPDX-License-Identifier: Apache-2.0
// The audit trail, the purge, and that refused requests leave nothing behind.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct HousekeepingTests {
    @Test(arguments: Engine.allCases)
    func `audit records come back newest first, with their fields in order`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            let login = AuditEvent(
                kind: "login", subject: "9c1a022c", host: "prod-db1", source: "203.0.113.9",
                attempt: "8f590f18b8e0f3ee",
                fields: [AuditField("way", "pin"), AuditField("way", ""), AuditField("", "a\n\u{1F}b")])
            let added = AuditEvent(kind: "user.add", subject: "alice")
            try await storage.append(login)
            try await storage.append(added)
            let records = try await storage.auditRecords(AuditQuery(), limit: 10)
            #expect(records.map(\.event) == [added, login])
            #expect(records[0].number > records[1].number)
            let older = try await storage.auditRecords(AuditQuery(before: records[0].number), limit: 10)
            #expect(older == [records[1]])
            #expect(try await storage.auditRecords(AuditQuery(), limit: 1) == [records[0]])
        }
    }

    @Test(arguments: Engine.allCases)
    func `purge removes all expired rows and nothing else`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one", kind: .unbound)
            _ = try await storage.addHost("h", join: JoinCodeRecord(joinID: [1], sealedKey: [2]))
            #expect(try await storage.purge() == 0)
            for number in 0..<1200 { _ = try await storage.takeNonce(octets("\(number)")) }
            try await storage.tryProof("one", .wrong)
            clock.pass(8 * Limits.day)
            #expect(try await storage.purge() == 1200 + 3)
            #expect(try await storage.purge() == 0)
            #expect(try await storage.identity(id: octets("one")) != nil)
            #expect(try await storage.host("h") != nil)
            #expect(try await storage.enroll("two") != nil)
        }
    }

    @Test func `only logins and wrong codes leave the audit trail, each beyond a limit of its own`()
        async throws
    {
        let folder = try Folder()
        let storage = try ServerDatabase(sqlite: .file(folder.database))
        for kind in ["user.revoke", "login", "registration"] {
            try await storage.append(AuditEvent(kind: kind, subject: "old"))
        }
        await storage.close()
        let connection = try SQLiteConnection(.file(folder.database))
        func append(_ count: Int64, of kind: String, _ retention: AuditRetention) throws {
            _ = try connection.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
                INSERT INTO audit (at, kind, subject, host, source, attempt, retention)
                SELECT 0, $2, 'new', '', '', '', $3 FROM n
                """,
                [.integer(count), .text(kind), .integer(retention.rawValue)])
        }
        // Records that strangers cause have a limit of their own.
        try append(Limits.wrongCodeRecords + 5, of: "code.wrong", .wrongCodes)
        try append(Limits.loginRecords + 1, of: "login", .logins)
        try append(5, of: "user.add", .forEver)
        var again = try ServerDatabase(sqlite: .file(folder.database))
        #expect(try await again.purge() == 6)
        let records = try await again.auditRecords(AuditQuery(before: 4), limit: 9)
        #expect(records.map(\.event.kind) == ["registration", "login", "user.revoke"])
        func count(_ kind: String) throws -> [Row] {
            try connection.run("SELECT COUNT(*) FROM audit WHERE kind = $1", [.text(kind)])
        }
        #expect(try count("code.wrong") == [Row([.integer(Limits.wrongCodeRecords)])])
        try append(Limits.wrongCodeRecords + 5, of: "code.wrong", .wrongCodes)
        await again.close()
        again = try ServerDatabase(sqlite: .file(folder.database))
        #expect(try await again.purge() == Limits.wrongCodeRecords + 5)
        // And the last login of that identity.
        #expect(try count("login") == [Row([.integer(Limits.loginRecords + 1)])])
        #expect(try count("user.add") == [Row([.integer(5)])])
    }

    @Test func `refused registrations, however many, leave the file as it was`() async throws {
        let folder = try Folder()
        let storage = try ServerDatabase(sqlite: .file(folder.database), clock: { 1_795_218_263_000 })
        try await storage.addUser("alice", codeHash: octets("c"), replace: false)
        for number in 0..<10 {
            _ = try await storage.register(request("w\(number)", from: "flood"), by: .confirmation)
        }
        func refuse(_ count: Int) async throws {
            for number in 0..<count {
                let known = number % 2 == 0 ? "alice" : "nobody \(number)"
                let kind = number % 3 == 0 ? Authorization.confirmation : code("wrong")
                let outcome = try await storage.register(
                    request("r\(number)", of: known, from: "flood"), by: kind)
                #expect(outcome == (number % 3 == 0 ? .full(seconds: 3600) : .refused))
            }
        }
        /// Until the write-ahead log has its full length.
        try await refuse(2000)
        let before = folder.size
        try await refuse(min(100_000, 10_000 * fuzz))
        #expect(folder.size <= before)
    }
}
