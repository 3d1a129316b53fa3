// SPDX-License-Identifier: Apache-2.0
// Suspensions, as administrators begin and end them, and the locks that administrators see.
import MPinDatabase
import Octets

extension ServerDatabase {
    /// Refuses every login of a user until the time `until`, or until `resume` if that is nil; this includes
    /// identities enrolled meanwhile. Approvals, passwords and codes that have not been used yet become void.
    /// If a suspension is in force, its end and reason are changed.
    func suspend(
        _ userID: String, until: UnixMilliseconds?, reason: String, recording event: AuditEvent
    ) async throws(StorageError) -> SuspensionOutcome {
        try await act(recording: event, if: { if case .suspended = $0 { true } else { false } }) {
            t throws(StorageError) in
            try t.serialize(on: .user(userID))
            let found = try t.row("SELECT revoked_at FROM users WHERE user_id = $1", [.text(userID)])
            guard var found else { return .nobody }
            guard try found.optionalInteger() == nil else { return .revoked }
            let end = until ?? .max
            guard end > t.now else { return .over }
            let suspended = try t.row(
                """
                UPDATE users SET suspended_until = $2, suspended_why = $3,
                    suspended_at = CASE WHEN suspended_until > $4 THEN suspended_at ELSE $4 END
                WHERE user_id = $1 RETURNING suspended_at, suspended_until, suspended_why
                """, [.text(userID), .integer(end), .text(reason), .integer(t.now)])
            guard var suspended, let suspension = try t.suspension(&suspended) else { throw .corrupt }
            try t.endApproved(of: userID)
            return .suspended(suspension)
        }
    }

    /// Ends a suspension at once. Returns whether there was one; nil if there is no such user.
    func resume(
        _ userID: String, recording event: AuditEvent
    ) async throws(StorageError) -> Bool? {
        try await act(recording: event, if: { $0 == true }) { t throws(StorageError) in
            try t.serialize(on: .user(userID))
            let found = try t.row(
                "SELECT suspended_until FROM users WHERE user_id = $1", [.text(userID)])
            guard var found else { return nil }
            guard try (found.optionalInteger() ?? 0) > t.now else { return false }
            try t.run(
                """
                UPDATE users SET suspended_at = NULL, suspended_until = NULL, suspended_why = ''
                WHERE user_id = $1
                """, [.text(userID)])
            return true
        }
    }
}

extension Transaction {
    /// Voids approvals, passwords and codes that have not been used; a resumption does not restore them.
    fileprivate func endApproved(of userID: String) throws(StorageError) {
        let own = "IN (SELECT id FROM identities WHERE user_id = $1)"
        try run(
            """
            UPDATE sessions SET state = $2, number = NULL WHERE state = $3 AND approved_by \(own)
            """,
            [
                .text(userID), .integer(Int64(SessionState.ended.rawValue)),
                .integer(Int64(SessionState.approved.rawValue)),
            ])
        // A device that waits for the browser's result gets 403.
        try run(
            """
            UPDATE browsers SET state = $2, number = NULL, result = 403
            WHERE state = $3 AND approved_by \(own)
            """,
            [
                .text(userID), .integer(Int64(BrowserState.ended.rawValue)),
                .integer(Int64(BrowserState.approved.rawValue)),
            ])
        for table in ["otps", "authorization_codes"] {
            try run("DELETE FROM \(table) WHERE id \(own)", [.text(userID)])
        }
    }

    /// Reads `suspended_at`, `suspended_until` and `suspended_why`; nil if there is none or it has ended.
    func suspension(_ row: inout Row) throws(StorageError) -> Suspension? {
        let since = try row.optionalInteger()
        let end = try row.optionalInteger()
        let reason = try row.text()
        guard let end, end > now else { return nil }
        guard let since else { throw .corrupt }
        return Suspension(since: since, until: end == .max ? nil : end, reason: reason)
    }

    /// The locks on these identities of a user. Blocks are not among them: see `IdentityRecord.blockedAt`.
    func locks(of userID: String, _ identities: [IdentityRecord]) throws(StorageError) -> [LockRecord] {
        var locks: [LockRecord] = []
        let found = try rows(
            """
            SELECT h.id, h.source, h.locked_until FROM heads h JOIN identities m ON m.id = h.id
            WHERE m.user_id = $1 AND m.revoked_at IS NULL AND h.locked_until > $2
            ORDER BY h.locked_until DESC, h.id, h.source LIMIT 100
            """, [.text(userID), .integer(now)])
        for var row in found {
            let id: IdentityHash = try row.fixed()
            let source = try row.text()
            locks.append(
                LockRecord(
                    id: id, place: source == anySource ? .everywhere : .source(source),
                    until: try row.integer()))
        }
        for identity in identities where identity.revokedAt == nil {
            let id = identity.description.id
            for kind in [TryOrigin.Kind.local, .network] {
                let wait = try strangeWait(id, kind)
                guard wait > 0 else { continue }
                let end = wait == .max ? nil : now + Int64(wait) * Limits.second
                locks.append(LockRecord(id: id, place: .strangers(kind), until: end))
            }
        }
        return locks
    }
}
