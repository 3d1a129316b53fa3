// SPDX-License-Identifier: Apache-2.0
// Housekeeping holds up no request: each of its statements finds its rows by an index, and only a few.
import MPinSQL
import MPinStorage
import Testing

struct PurgePlanTests {
    private static let statements =
        PurgeStatement.all.map(\.sql) + AuditRetention.allCases.map(\.removal)
        + AuditRetention.allCases.compactMap(\.bound) + [PurgeStatement.unconfirmed]

    private func database(_ folder: Folder) throws -> SQLiteConnection {
        _ = try SQLStorage(sqlite: .file(folder.database))
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

    /// Registrations that do not wait may be many.
    @Test(arguments: WaitingPlaces.allCases)
    func `registrations that wait are counted by their own index`(_ places: WaitingPlaces) throws {
        let folder = try Folder()
        let plan = try database(folder).plan(of: places.statement)
        #expect(plan.count == 1 && plan[0].contains("USING INDEX registrations_waiting"), "\(plan)")
        withExtendedLifetime(folder) {}
    }

    /// The number alone would lead past all records that stay for ever.
    @Test(arguments: [AuditRetention.logins, .wrongCodes])
    func `audit records that go are found among their own kind`(_ retention: AuditRetention) throws {
        let folder = try Folder()
        let connection = try database(folder)
        let bound = try connection.plan(of: #require(retention.bound))
        #expect(bound == ["SEARCH audit USING COVERING INDEX audit_by_retention (retention=?)"])
        let removal = try connection.plan(of: retention.removal)
        #expect(
            removal.contains(
                "SEARCH audit USING COVERING INDEX audit_by_retention (retention=? AND number<?)"),
            "\(removal)")
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
        let count = PurgeStatement.step + 7
        _ = try connection.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
            INSERT INTO nonces (nonce, expires_at) SELECT CAST(i AS BLOB), i FROM n
            """, [.integer(Int64(count))])
        let nonces = try #require(PurgeStatement.all.first { $0.sql.hasPrefix("DELETE FROM nonces") })
        let removed = try [0, 1, 2].map { _ in try connection.run(nonces.sql, [.integer(.max)]).count }
        #expect(removed == [PurgeStatement.step, 7, 0])
        withExtendedLifetime(folder) {}
    }

    /// Administrators' records, however many, are not displaced and displace none.
    @Test(arguments: [
        ("user.add", AuditRetention.forEver), ("host.rotate", .forEver), ("registration", .forEver),
        ("phone.bound", .forEver), ("login", .logins), ("session.bind", .logins), ("code.redeem", .logins),
        ("code.wrong", .wrongCodes),
    ])
    func `an audit record's kind decides how long it is kept`(_ kind: String, _ kept: AuditRetention) {
        #expect(AuditRetention(kind: kind) == kept)
    }
}
