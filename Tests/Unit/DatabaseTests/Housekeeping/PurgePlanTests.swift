// SPDX-License-Identifier: Apache-2.0
// Housekeeping holds up no request: each of its statements finds its rows by an index, and only a few.
@testable import MPinDatabase
@testable import MPinServer
import Testing

struct PurgePlanTests {
    private static let statements =
        PurgeStatement.all.map(\.sql) + AuditRetention.allCases.compactMap(\.excess)
        + AuditRetention.allCases.map(\.groups) + AuditRetention.allCases.map(\.removal)
        + [PurgeStatement.unconfirmed]

    private func database(_ folder: Folder) throws -> SQLiteConnection {
        _ = try ServerDatabase(sqlite: .file(folder.database))
        return try SQLiteConnection(.file(folder.database))
    }

    /// Tables such as `audit`, `identities` and `tries` grow for ever.
    @Test(arguments: statements)
    func `no statement of the housekeeping passes over a whole table or sorts its rows`(
        _ sql: String
    ) throws {
        let folder = try Folder()
        let plan = try database(folder).plan(of: sql)
        #expect(plan.contains { $0.hasPrefix("SEARCH ") })
        for line in plan {
            #expect(!line.hasPrefix("SCAN ") && !line.contains("TEMP B-TREE"), "\(plan)")
        }
        withExtendedLifetime(folder) {}
    }

    /// Sessions that were aborted, and registrations that do not wait, may be many. A place is looked for in
    /// the one transaction that writes.
    @Test(arguments: SharedPlaces.all)
    func `whoever opens a session and aborts it makes no look for a place longer`(
        _ places: SharedPlaces
    ) throws {
        let folder = try Folder()
        let connection = try database(folder)
        for statement in places.statements {
            let steps = try connection.plan(of: statement).filter {
                $0.hasPrefix("SEARCH ") || $0.hasPrefix("SCAN ")
            }
            #expect(
                steps.contains { $0.contains("INDEX ") && $0.contains("_places") }
                    && steps.allSatisfy { $0.contains("_places") || $0 == "SCAN counted" },
                "\(statement): \(steps)")
        }
        withExtendedLifetime(folder) {}
    }

    /// A network has any number of right look-ups, from 65,536 sources.
    @Test func `whoever looks up their own session again and again makes no look-up longer`() throws {
        let folder = try Folder()
        let connection = try database(folder)
        for (statement, index) in [
            (LookUpCount.ofSource, "lookups_by_source"), (LookUpCount.wrongOfNetwork, "lookups_by_network"),
        ] {
            let plan = try connection.plan(of: statement)
            #expect(plan.contains { $0.contains("INDEX \(index) (") && $0.contains("at>?") }, "\(plan)")
        }
        withExtendedLifetime(folder) {}
    }

    /// A row of `session_devices` of each session that has lived stays for a day at most.
    @Test func `a list of what waits passes over the live sessions of its device alone`() throws {
        let folder = try Folder()
        let plan = try database(folder).plan(of: waitingList)
        let first = "SEARCH d USING INDEX session_devices_by_id (id=? AND expires_at>?)"
        #expect(plan.contains(first), "\(plan)")
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN s") && !$0.hasPrefix("SCAN r") }, "\(plan)")
        withExtendedLifetime(folder) {}
    }

    /// Among all records that stay for ever, they would be few.
    @Test(arguments: [AuditRetention.logins, .refusals])
    func `audit records that go are found among their own kind`(_ retention: AuditRetention) throws {
        let folder = try Folder()
        let connection = try database(folder)
        for statement in [
            try #require(retention.excess), retention.groups, retention.lastToGo, retention.removal,
        ] {
            let plan = try connection.plan(of: statement)
            let index = "SEARCH audit USING COVERING INDEX audit_by_retention (retention=?"
            #expect(plan.contains { $0.hasPrefix(index) }, "\(plan)")
        }
        withExtendedLifetime(folder) {}
    }

    /// A stranger chooses their subjects, so they are found by their age alone.
    @Test(arguments: [AuditRetention.lastWrongCode, AuditRetention.wrongCodeRemoval])
    func `records of wrong codes go by their age, whatever names strangers give`(_ statement: String) throws {
        let folder = try Folder()
        let plan = try database(folder).plan(of: statement)
        #expect(plan.contains { $0.contains("USING COVERING INDEX audit_wrong_codes") }, "\(plan)")
        withExtendedLifetime(folder) {}
    }

    @Test func `a statement without an index is noticed`() throws {
        let folder = try Folder()
        let plan = try database(folder).plan(of: "DELETE FROM audit WHERE at <= $1")
        #expect(plan.first == "SCAN audit")
        withExtendedLifetime(folder) {}
    }

    @Test func `one run removes a few rows`() throws {
        let folder = try Folder()
        let connection = try database(folder)
        let count = Limits.rowsOfPurge + 7
        _ = try connection.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
            INSERT INTO nonces (nonce, expires_at) SELECT CAST(i AS BLOB), i FROM n
            """, [.integer(Int64(count))])
        let nonces = try #require(PurgeStatement.all.first { $0.sql.hasPrefix("DELETE FROM nonces") })
        let removed = try [0, 1, 2].map { _ in try connection.run(nonces.sql, [.integer(.max)]).count }
        #expect(removed == [Limits.rowsOfPurge, 7, 0])
        withExtendedLifetime(folder) {}
    }

    /// Administrators' records, however many, are not displaced and displace none.
    @Test(arguments: [
        ("user.add", "", AuditRetention.forEver), ("host.rotate", "", .forEver),
        ("registration", "", .forEver), ("phone.bound", "granted", .forEver), ("code.wrong", "", .wrongCodes),
        ("login", "granted", .lastLogin), ("login", "wrong", .refusals), ("login", "revoked", .refusals),
        ("login", "suspended", .refusals), ("login", "host-removed", .refusals),
        ("session.approve", "granted", .logins), ("session.approve", "wrong", .refusals),
        ("session.deny", "not-approved", .logins), ("session.reported", "not-approved", .logins),
        ("session.logout", "", .logins), ("session.abort", "", .refusals),
        ("code.redeem", "granted", .logins), ("code.redeem", "refused", .refusals),
    ])
    func `what needed no proof is kept apart from what did`(
        _ kind: String, _ verdict: String, _ kept: AuditRetention
    ) {
        let event = AuditEvent(kind: kind, subject: "s", fields: [AuditField("verdict", verdict)])
        #expect(AuditRetention(event) == kept)
    }
}
