// SPDX-License-Identifier: Apache-2.0
// The audit trail in two tables: the parts that every record has, and the named fields.
import MPinDatabase

/// Whoever appends shares the key, so a reader that has it alone sees all numbers up to the greatest.
private let auditKey = "audit"

extension ServerDatabase {
    func append(_ event: AuditEvent) async throws(StorageError) {
        try await transaction(.durable) { t throws(StorageError) in try t.append(event) }
    }

    /// The newest audit records that `query` selects, newest first: at most `limit`, and never more than
    /// 1000.
    func auditRecords(
        _ query: AuditQuery, limit: Int
    ) async throws(StorageError) -> [AuditRecord] {
        try await transaction(query.after == nil ? .read : .brief) { t throws(StorageError) in
            // A follower continues after the greatest number that it has read, so no smaller one may be
            // committed later.
            if query.after != nil { try t.serialize(on: .name(auditKey)) }
            var records: [AuditRecord] = []
            let found = try t.rows(
                """
                SELECT number, at, kind, subject, host, source, attempt FROM audit
                WHERE number < $1 AND number > $2 AND at >= $3
                    AND ($4 IS NULL OR subject = $4 OR EXISTS (SELECT 1 FROM audit_fields f
                        WHERE f.number = audit.number AND f.name = 'user' AND f.value = $4))
                ORDER BY number DESC LIMIT $5
                """,
                [
                    .integer(query.before ?? .max), .integer(query.after ?? 0), .integer(query.since ?? 0),
                    .text(query.userID), .page(limit),
                ])
            for var row in found {
                let number = try row.integer()
                let at = try row.integer()
                let event = AuditEvent(
                    kind: try row.text(), subject: try row.text(), host: try row.text(),
                    source: try row.text(), attempt: try row.text(), fields: try t.fields(of: number))
                records.append(AuditRecord(number: number, at: at, event: event))
            }
            return records
        }
    }
}

extension ServerDatabase {
    /// An administrator's act in a durable transaction, with its record in the audit trail if it was done.
    func act<R: Sendable>(
        recording event: AuditEvent, if isDone: @escaping @Sendable (R) -> Bool,
        _ body: @escaping @Sendable (Transaction) throws(StorageError) -> R
    ) async throws(StorageError) -> R {
        try await transaction(.durable) { t throws(StorageError) in
            let result = try body(t)
            if isDone(result) { try t.append(event) }
            return result
        }
    }
}

extension Transaction {
    func append(_ event: AuditEvent) throws(StorageError) {
        try share(auditKey)
        let retention = AuditRetention(event)
        if retention == .lastLogin { try endLastLogin(event) }
        let inserted = try row(
            """
            INSERT INTO audit (at, kind, subject, host, source, attempt, retention)
            VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING number
            """,
            [
                .integer(now), .text(event.kind), .text(event.subject), .text(event.host),
                .text(event.source), .text(event.attempt),
                .integer(retention.rawValue),
            ])
        guard var inserted else { throw .corrupt }
        try insert(event.fields, of: try inserted.integer())
    }

    /// The login before this one of the same identity at the same host is the last one no longer.
    private func endLastLogin(_ event: AuditEvent) throws(StorageError) {
        try run(
            "UPDATE audit SET retention = $1 WHERE retention = $2 AND host = $3 AND subject = $4",
            [
                .integer(AuditRetention.logins.rawValue), .integer(AuditRetention.lastLogin.rawValue),
                .text(event.host), .text(event.subject),
            ])
    }

    /// One statement for all fields of a record.
    private func insert(_ fields: [AuditField], of number: Int64) throws(StorageError) {
        guard !fields.isEmpty else { return }
        var values = [Value.integer(number)]
        var rows: [String] = []
        for (place, field) in fields.enumerated() {
            rows.append("($1, \(place), $\(values.count + 1), $\(values.count + 2))")
            values += [.text(field.name), .text(field.value)]
        }
        try run(
            "INSERT INTO audit_fields (number, place, name, value) VALUES \(rows.joined(separator: ", "))",
            values)
    }

    fileprivate func fields(of number: Int64) throws(StorageError) -> [AuditField] {
        var fields: [AuditField] = []
        let found = try rows(
            "SELECT name, value FROM audit_fields WHERE number = $1 ORDER BY place", [.integer(number)])
        for var row in found { fields.append(AuditField(try row.text(), try row.text())) }
        return fields
    }
}
