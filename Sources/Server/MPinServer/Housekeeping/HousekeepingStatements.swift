// SPDX-License-Identifier: Apache-2.0
// Voids short-lived records at the start, and purges expired rows, a limited number at a time.
package import MPinDatabase
import Octets

extension ServerDatabase {
    /// Whether this is the value of the check of that name. The first value that is passed for a name is
    /// stored.
    func checkSecret(_ check: SecretCheck) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            try t.run(
                "INSERT INTO secret_checks (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
                [.text(check.name), .octets(check.value)])
            return try t.row(
                "SELECT 1 FROM secret_checks WHERE name = $1 AND value = $2",
                [.text(check.name), .octets(check.value)]) != nil
        }
    }

    /// Revokes some of the identities that were enrolled by a QR code more than a day ago and have not been
    /// confirmed; returns their ids.
    func revokeUnconfirmed() async throws(StorageError) -> [IdentityHash] {
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

    /// Removes all expired rows, a few in each transaction, and returns their number.
    /// A failure in one table does not keep the others from being purged.
    package func purge() async throws(StorageError) -> Int {
        var removed = 0
        var failure: StorageError?
        for statement in PurgeStatement.all {
            do throws(StorageError) {
                removed += try await purge(statement.sql, of: statement.table)
            } catch {
                failure = error
            }
        }
        for retention in AuditRetention.allCases {
            do throws(StorageError) { removed += try await purge(retention) } catch { failure = error }
        }
        do throws(StorageError) {
            removed += try await purge(
                upTo: AuditRetention.lastWrongCode, [], by: AuditRetention.wrongCodeRemoval, [])
        } catch { failure = error }
        if let failure { throw failure }
        return removed
    }

    private func purge(_ retention: AuditRetention) async throws(StorageError) -> Int {
        guard let limit = retention.limit, let excess = retention.excess,
            try await transaction(.read, { t throws(StorageError) in try t.row(excess) != nil })
        else { return 0 }
        var groups: [AuditGroup] = []
        var page: [AuditGroup]
        repeat {
            let last = groups.last
            page = try await transaction(.read) { t throws(StorageError) in
                try t.auditGroups(retention, after: last)
            }
            groups += page
        } while page.count == AuditRetention.page
        var removed = 0
        for (group, count) in AuditGroup.surplus(of: groups, beyond: limit) {
            let key: [Value] = [.text(group.host), .text(group.subject)]
            removed += try await purge(
                upTo: retention.lastToGo, key + [.integer(count - 1)], by: retention.removal, key)
        }
        return removed
    }

    /// Removes audit records up to the one whose number `last` returns, which is the last value of `removal`.
    private func purge(
        upTo last: String, _ values: [Value], by removal: String, _ key: [Value]
    ) async throws(StorageError) -> Int {
        let found = try await transaction(.read) { t throws(StorageError) -> Int64? in
            guard var row = try t.row(last, values) else { return nil }
            return try row.integer()
        }
        guard let found else { return 0 }
        return try await purge(removal, key + [.integer(found)], of: "audit")
    }

    /// Repeats a statement until nothing is left that it could remove, each time as a transaction of its own,
    /// behind the requests that wait meanwhile.
    /// - Parameter values: those of the statement; nil stands for the time now.
    private func purge(
        _ sql: String, _ values: [Value]? = nil, of table: String
    ) async throws(StorageError) -> Int {
        var removed = 0
        var last: Int
        repeat {
            last = try await transaction(.brief) { t throws(StorageError) in
                guard try t.isAlone(in: "purge"), try t.isAloneTrimming(table) else { return 0 }
                let removed = try t.rows(sql, values ?? [.integer(t.now)])
                if table == "nonces" { try t.forgetNonces(removed) }
                return removed.count
            }
            removed += last
        } while last == Limits.rowsOfPurge && !Task.isCancelled
        return removed
    }
}

extension Transaction {
    /// The next page of groups.
    fileprivate func auditGroups(
        _ retention: AuditRetention, after last: AuditGroup?
    ) throws(StorageError) -> [AuditGroup] {
        var groups: [AuditGroup] = []
        let place = [last?.host ?? "", last?.subject ?? ""].map { Value.text($0) }
        for var row in try rows(retention.groups, place) {
            groups.append(
                AuditGroup(
                    host: try row.text(), subject: try row.text(), count: try row.integer(),
                    newest: try row.integer()))
        }
        return groups
    }

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

extension ServiceContext {
    /// Removes what has expired, in steps short enough for requests to be served in between. What cannot be
    /// removed now is invalid already and is removed the next time.
    package func purge() async {
        while let revoked = try? await storage.revokeUnconfirmed(), !revoked.isEmpty {
            _ = await tellBook(of: revoked)
        }
        _ = try? await storage.purge()
    }
}
