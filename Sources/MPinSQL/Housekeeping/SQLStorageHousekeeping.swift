// SPDX-License-Identifier: Apache-2.0
// Voids short-lived records at the start, and purges expired rows, a limited number at a time.
package import MPinStorage
package import Octets

extension SQLStorage: HousekeepingStorage {
    package func checkSecret(_ check: SecretCheck) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            try t.run(
                "INSERT INTO secret_checks (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
                [.text(check.name), .octets(check.value)])
            return try t.row(
                "SELECT 1 FROM secret_checks WHERE name = $1 AND value = $2",
                [.text(check.name), .octets(check.value)]) != nil
        }
    }

    /// Asks over the connection that reads.
    package func clock() async throws(StorageError) -> UnixMilliseconds {
        try await transaction(.read) { t throws(StorageError) in
            try t.run("SELECT 1 FROM hosts LIMIT 1")
            return t.now
        }
    }

    package func revokeUnconfirmed() async throws(StorageError) -> [IdentityHash] {
        try await transaction(.durable) { t throws(StorageError) in
            guard try t.isAlone(in: "revoke unconfirmed") else { return [] }
            let late = try t.ids(PurgeStatement.unconfirmed, [.integer(t.now)])
            try t.serialize(onOwnersOf: late)
            var revoked: [IdentityHash] = []
            for id in late {
                // It may have been confirmed meanwhile.
                if try t.identity(id: id)?.isUnconfirmed == true, try t.revokeIdentity(id) {
                    revoked.append(id)
                }
            }
            return revoked
        }
    }

    /// A failure in one table does not keep the others from being purged.
    package func purge() async throws(StorageError) -> Int {
        var removed = 0
        var failure: StorageError?
        for statement in PurgeStatement.all {
            do throws(StorageError) {
                removed += try await purge(by: statement.sql, of: statement.table, upTo: nil)
            } catch {
                failure = error
            }
        }
        for retention in AuditRetention.allCases {
            do throws(StorageError) { removed += try await purge(retention) } catch { failure = error }
        }
        if let failure { throw failure }
        return removed
    }

    private func purge(_ retention: AuditRetention) async throws(StorageError) -> Int {
        guard let query = retention.bound else { return 0 }
        let bound = try await transaction(.read) { t throws(StorageError) -> Int64? in
            guard var found = try t.row(query) else { return nil }
            return try found.integer()
        }
        guard let bound else { return 0 }
        return try await purge(by: retention.removal, of: "audit", upTo: bound)
    }

    /// Repeats a statement until nothing is left that it could remove, each time as a transaction of its own,
    /// behind the requests that wait meanwhile.
    /// - Parameter number: the statement's $1; nil stands for the time now.
    private func purge(
        by sql: String, of table: String, upTo number: Int64?
    ) async throws(StorageError) -> Int {
        var removed = 0
        var last: Int
        repeat {
            last = try await transaction(.brief) { t throws(StorageError) in
                guard try t.isAlone(in: "purge"), try t.isAloneTrimming(table) else { return 0 }
                let removed = try t.rows(sql, [.integer(number ?? t.now)])
                if table == "nonces" { try t.forgetNonces(removed) }
                return removed.count
            }
            removed += last
        } while last == PurgeStatement.step && !Task.isCancelled
        return removed
    }
}

extension Transaction {
    /// Voids the short-lived records, unless the database was closed in order and recently. After a loss of
    /// power, or in a copy, records that do not wait for the disk may be missing or may have come back, so
    /// none of them may be used. The same holds if the closing is too old or in the future: in such a copy,
    /// or by such a clock, expired records would be valid again.
    func voidUnlessClosedInOrder() throws(StorageError) {
        let plausible = now - Limits.longestBriefLife...now
        if var closing = try row("DELETE FROM closings RETURNING at"),
            plausible.contains(try closing.integer())
        {
            return
        }
        for table in [
            "pass_ones", "verdicts", "otps", "otp_questions", "application_sessions", "authorization_codes",
        ] {
            try run("DELETE FROM \(table)")
        }
    }

    /// Notes that the database was closed in order.
    func noteOrderlyClosing() throws(StorageError) {
        try run("INSERT INTO closings VALUES ($1)", [.integer(now)])
    }
}
