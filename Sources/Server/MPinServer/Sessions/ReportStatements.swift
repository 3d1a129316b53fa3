// SPDX-License-Identifier: Apache-2.0
// Reports of sessions that the owner of an identity did not begin.
import MPinDatabase
import Octets

extension ServerDatabase {
    /// Ends a session like `endSession`, for the owner of the identity `id`, who did not begin the login. For
    /// an hour, no identity of that userID can approve sessions from this source at this host. Records
    /// `events` in the same transaction.
    func reportSession(
        _ name: SessionName, a: QuestionHash, by id: IdentityHash, recording events: [AuditEvent]
    ) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            guard try t.endSession(name, a: a, by: id) else { return false }
            try t.run(
                """
                INSERT INTO reports (id, source, expires_at)
                SELECT m.id, s.source, $3 FROM sessions s, identities m
                WHERE s.a = $2 AND m.revoked_at IS NULL
                    AND m.user_id = (SELECT user_id FROM identities WHERE id = $1)
                ON CONFLICT (id, source) DO UPDATE SET expires_at = excluded.expires_at
                """, [.octets(id), .octets(a), .integer(t.now + Limits.reportLife)])
            for event in events { try t.append(event) }
            return true
        }
    }

    /// Whether the owner of the identity has reported a session from this source (which includes its host)
    /// within the last hour.
    func hasReported(_ source: String, id: IdentityHash) async throws(StorageError) -> Bool {
        try await transaction(.read) { t throws(StorageError) in
            try t.row(
                "SELECT 1 FROM reports WHERE id = $1 AND source = $2 AND expires_at > $3",
                [.octets(id), .text(source), .integer(t.now)]) != nil
        }
    }
}
