// SPDX-License-Identifier: Apache-2.0
// Users and their activation codes, as administrators manage them.
import MPinDatabase
import Octets

/// Every user, with the expiry of their code if they have a valid one; `$1` is now.
private let userQuery = """
    SELECT u.user_id, u.added_at, u.revoked_at, c.expires_at, u.suspended_at, u.suspended_until,
        u.suspended_why FROM users u
    LEFT JOIN codes c ON c.user_id = u.user_id AND c.expires_at > $1
    """

extension ServerDatabase {
    /// Adds the user if they are new, lifts their revocation (their old identities stay revoked), and gives
    /// them this code. The code replaces an earlier one and drops the registrations that were begun with
    /// that. Records the event.
    /// - Returns: the identities that were enrolled by an earlier QR code and never confirmed. A new QR code
    ///   revokes them, because a stranger may have scanned the earlier one.
    @discardableResult func addUser(
        _ userID: String, code: ActivationCode, recording event: AuditEvent
    ) async throws(StorageError) -> [IdentityHash] {
        try await act(recording: event, if: { _ in true }) { t throws(StorageError) in
            guard !userID.isEmpty, !(code.replaces && code.isByQRCode) else { throw .refused }
            try t.serialize(on: .user(userID))
            try t.admit(userID)
            try t.run(
                "DELETE FROM registrations WHERE user_id = $1 AND code IS NOT NULL", [.text(userID)])
            try t.run(
                """
                INSERT INTO codes (user_id, hash, replaces, by_qr_code, block_after, expires_at)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, replaces = excluded.replaces,
                    by_qr_code = excluded.by_qr_code, block_after = excluded.block_after,
                    expires_at = excluded.expires_at, issues = 0
                """,
                [
                    .text(userID), .octets(code.hash), .flag(code.replaces), .flag(code.isByQRCode),
                    .integer(code.blockAfter),
                    .integer(t.now + (code.isByQRCode ? lives.qrCode : lives.code)),
                ])
            guard code.isByQRCode else { return [] }
            return try t.revokeIdentities(of: userID) { $0.isUnconfirmed }
        }
    }

    /// Ends this code of the user with the registrations that were begun with it, and records the event. An
    /// identity that was enrolled with it stays. Returns false if the user has another code or none.
    /// Also what was begun with the code ends.
    func endCode(
        _ hash: OneTimeCodeHash, of userID: String, recording event: AuditEvent
    ) async throws(StorageError) -> Bool {
        try await act(recording: event, if: { $0 }) { t throws(StorageError) in
            try t.serialize(on: .user(userID))
            let code: [Value] = [.text(userID), .octets(hash)]
            try t.run("DELETE FROM registrations WHERE user_id = $1 AND code = $2", code)
            return try t.row(
                "DELETE FROM codes WHERE user_id = $1 AND hash = $2 RETURNING user_id", code) != nil
        }
    }

    /// Users in the order of their userIDs: those after `after`, at most `limit`, and never more than
    /// 1000.
    func users(
        after: String?, limit: Int
    ) async throws(StorageError) -> [UserRecord] {
        try await transaction(.read) { t throws(StorageError) in
            var users: [UserRecord] = []
            let found = try t.rows(
                "\(userQuery) WHERE u.user_id > $2 ORDER BY u.user_id LIMIT $3",
                [.integer(t.now), .text(after ?? ""), .page(limit)])
            for var row in found { users.append(try t.user(&row)) }
            return users
        }
    }

    /// The user with this userID; nil if there is none.
    func user(_ userID: String) async throws(StorageError) -> UserRecord? {
        try await transaction(.read) { t throws(StorageError) in try t.user(userID) }
    }

    /// Revokes the subject permanently, and records the event; a user also loses the code and
    /// pending registrations. Nil if there is no such subject; then nothing is recorded.
    func revoke(
        _ subject: Subject, recording event: AuditEvent
    ) async throws(StorageError) -> Revocation? {
        try await act(recording: event, if: { $0 != nil }) { t throws(StorageError) in
            switch subject {
            case .identity(let id):
                try t.serialize(on: .owner(of: id))
                guard try t.identity(id: id) != nil else { return nil }
                // Also those that were registered to replace it and were never granted a login.
                var all = [id]
                var count = 0
                var index = 0
                while index < all.count {
                    if try t.revokeIdentity(all[index]) { count += 1 }
                    all += try t.ids("SELECT id FROM identities WHERE supersedes = $1", [.octets(all[index])])
                    index += 1
                }
                return Revocation(ids: all, count: count)
            case .user(let userID): return try t.revokeUser(userID)
            }
        }
    }

    /// Revokes a user as `revoke` does and removes them, in one transaction: nothing of them is listed any
    /// more, and a user who is added under the name has no history. Their ids stay revoked. Nil if there is
    /// no such user; then nothing is recorded.
    /// Durable, like every act.
    func remove(
        _ userID: String, recording event: AuditEvent
    ) async throws(StorageError) -> Revocation? {
        try await act(recording: event, if: { $0 != nil }) { t throws(StorageError) in
            guard let revocation = try t.revokeUser(userID) else { return nil }
            try t.forget(userID, revocation.ids)
            return revocation
        }
    }
}

extension Transaction {
    fileprivate func revokeUser(_ userID: String) throws(StorageError) -> Revocation? {
        // The user without a name owns what is left of removed ones.
        guard !userID.isEmpty else { return nil }
        try serialize(on: .user(userID))
        let found = try row(
            """
            UPDATE users SET revoked_at = COALESCE(revoked_at, $2) WHERE user_id = $1
            RETURNING user_id
            """, [.text(userID), .integer(now)])
        guard found != nil else { return nil }
        try run("DELETE FROM codes WHERE user_id = $1", [.text(userID)])
        try run("DELETE FROM registrations WHERE user_id = $1", [.text(userID)])
        let count = try revokeIdentities(of: userID).count
        return Revocation(ids: try identities(of: userID).map(\.description.id), count: count)
    }

    /// Removes a revoked user. Of each identity only the id, the host and the revocation stay, so that
    /// tokens and backup codes that are still somewhere get the answer of a revoked user.
    fileprivate func forget(_ userID: String, _ ids: [IdentityHash]) throws(StorageError) {
        try run(
            """
            INSERT INTO users (user_id, added_at, revoked_at) VALUES ('', $1, $1)
            ON CONFLICT (user_id) DO NOTHING
            """, [.integer(now)])
        try run(
            """
            UPDATE identities SET user_id = '', mpin_id = $2, device_name = '', user_data = '',
                push_token = '', last_login_at = NULL, last_login_from = NULL, wrong_count = 0,
                wrong_at = 0, wrong_source = ''
            WHERE user_id = $1
            """, [.text(userID), .octets([])])
        for id in ids {
            for table in ["known_sources", "reports"] {
                try run("DELETE FROM \(table) WHERE id = $1", [.octets(id)])
            }
        }
        try run("DELETE FROM users WHERE user_id = $1", [.text(userID)])
    }

    func user(_ userID: String) throws(StorageError) -> UserRecord? {
        guard !userID.isEmpty else { return nil }
        let found = try row("\(userQuery) WHERE u.user_id = $2", [.integer(now), .text(userID)])
        guard var found else { return nil }
        return try user(&found)
    }

    fileprivate func user(_ row: inout Row) throws(StorageError) -> UserRecord {
        let userID = try row.text()
        let identities = try identities(of: userID)
        var strange: [IdentityHash: Int64] = [:]
        for identity in identities {
            let tries = try totals(identity.description.id).strange
            if tries > 0 { strange[identity.description.id] = tries }
        }
        return UserRecord(
            userID: userID, addedAt: try row.integer(), revokedAt: try row.optionalInteger(),
            codeExpiresAt: try row.optionalInteger(), suspension: try suspension(&row),
            identities: identities,
            locks: try locks(of: userID, identities),
            strangeTries: strange)
    }
}
