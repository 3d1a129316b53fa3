// SPDX-License-Identifier: Apache-2.0
// Identities and their activation codes, as administrators manage them.
package import MPinStorage
package import Octets

/// Every identity, with the expiry of its code if it has a valid one; `$1` is now.
private let identityQuery = """
    SELECT i.user_id, i.added_at, i.revoked_at, c.expires_at, i.suspended_at, i.suspended_until,
        i.suspended_why FROM identities i
    LEFT JOIN codes c ON c.user_id = i.user_id AND c.expires_at > $1
    """

extension SQLStorage: IdentityStorage {
    @discardableResult package func addIdentity(
        _ userID: String, code: ActivationCode, recording event: AuditEvent
    ) async throws(StorageError) -> [IdentityHash] {
        try await act(recording: event, if: { _ in true }) { t throws(StorageError) in
            guard !userID.isEmpty, !(code.replaces && code.isByQRCode) else { throw .refused }
            try t.serialize(on: .identity(userID))
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
                    .integer(t.now + (code.isByQRCode ? t.lives.qrCode : t.lives.code)),
                ])
            guard code.isByQRCode else { return [] }
            return try t.revokeMpins(of: userID) { $0.isUnconfirmed }
        }
    }

    package func identities(
        after: String?, limit: Int
    ) async throws(StorageError) -> [IdentityRecord] {
        try await transaction(.read) { t throws(StorageError) in
            var identities: [IdentityRecord] = []
            let found = try t.rows(
                "\(identityQuery) WHERE i.user_id > $2 ORDER BY i.user_id LIMIT $3",
                [.integer(t.now), .text(after ?? ""), .page(limit)])
            for var row in found { identities.append(try t.identity(&row)) }
            return identities
        }
    }

    package func identity(_ userID: String) async throws(StorageError) -> IdentityRecord? {
        try await transaction(.read) { t throws(StorageError) in try t.identity(userID) }
    }

    package func mpin(id: IdentityHash) async throws(StorageError) -> MpinRecord? {
        try await transaction(.read) { t throws(StorageError) in try t.mpin(id: id) }
    }

    package func confirm(
        id: IdentityHash, recording event: AuditEvent
    ) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            try t.serialize(on: .owner(of: id))
            guard try t.confirmMpin(id) else { return false }
            try t.append(event)
            return true
        }
    }

    package func revoke(
        _ subject: Subject, recording event: AuditEvent
    ) async throws(StorageError) -> Revocation? {
        try await act(recording: event, if: { $0 != nil }) { t throws(StorageError) in
            switch subject {
            case .mpin(let id):
                try t.serialize(on: .owner(of: id))
                guard try t.mpin(id: id) != nil else { return nil }
                // Also those that were registered to replace it and were never granted a login.
                var all = [id]
                var count = 0
                var index = 0
                while index < all.count {
                    if try t.revokeMpin(all[index]) { count += 1 }
                    all += try t.ids("SELECT id FROM mpins WHERE supersedes = $1", [.octets(all[index])])
                    index += 1
                }
                return Revocation(ids: all, count: count)
            case .identity(let userID):
                try t.serialize(on: .identity(userID))
                let found = try t.row(
                    """
                    UPDATE identities SET revoked_at = COALESCE(revoked_at, $2) WHERE user_id = $1
                    RETURNING user_id
                    """, [.text(userID), .integer(t.now)])
                guard found != nil else { return nil }
                try t.run("DELETE FROM codes WHERE user_id = $1", [.text(userID)])
                try t.run("DELETE FROM registrations WHERE user_id = $1", [.text(userID)])
                let count = try t.revokeMpins(of: userID).count
                return Revocation(ids: try t.mpins(of: userID).map(\.description.id), count: count)
            }
        }
    }

    package func untoldRevocations(limit: Int) async throws(StorageError) -> [IdentityHash] {
        try await transaction(.read) { t throws(StorageError) in
            try t.ids("SELECT id FROM outbox LIMIT $1", [.page(limit)])
        }
    }

    /// Brief: after a loss of power the book is told again, which changes nothing there.
    package func noteTold(_ ids: [IdentityHash]) async throws(StorageError) {
        try await transaction(.brief) { t throws(StorageError) in
            for id in ids { try t.run("DELETE FROM outbox WHERE id = $1", [.octets(id)]) }
        }
    }

    package func standing(of ids: [IdentityHash]) async throws(StorageError) -> AccountStanding {
        try await transaction(.read) { t throws(StorageError) in
            var userID: String?
            var (live, revoked, suspended) = (0, 0, 0)
            for id in ids {
                let found = try t.row(
                    """
                    SELECT m.user_id,
                        CASE WHEN m.revoked_at IS NULL AND i.revoked_at IS NULL THEN 0 ELSE 1 END,
                        CASE WHEN i.suspended_until > $2 THEN 1 ELSE 0 END
                    FROM mpins m JOIN identities i ON i.user_id = m.user_id WHERE m.id = $1
                    """, [.octets(id), .integer(t.now)])
                guard var found else { continue }
                let name = try found.text()
                if userID == nil { userID = name }
                switch (try found.flag(), try found.flag()) {
                case (true, _): revoked += 1
                case (false, true): suspended += 1
                case (false, false): live += 1
                }
            }
            // Ids that the database does not know, for instance after it was rebuilt, are ignored.
            return AccountStanding(
                userID: userID, isRevoked: revoked > 0 && suspended == 0 && live == 0,
                isSuspended: suspended > 0 && live == 0)
        }
    }
}

extension Transaction {
    /// Adds the identity if it is new, and lifts its revocation.
    func admit(_ userID: String) throws(StorageError) {
        try run(
            """
            INSERT INTO identities (user_id, added_at) VALUES ($1, $2)
            ON CONFLICT (user_id) DO UPDATE SET revoked_at = NULL
            """, [.text(userID), .integer(now)])
    }

    func identity(_ userID: String) throws(StorageError) -> IdentityRecord? {
        let found = try row("\(identityQuery) WHERE i.user_id = $2", [.integer(now), .text(userID)])
        guard var found else { return nil }
        return try identity(&found)
    }

    fileprivate func identity(_ row: inout Row) throws(StorageError) -> IdentityRecord {
        let userID = try row.text()
        let mpins = try mpins(of: userID)
        return IdentityRecord(
            userID: userID, addedAt: try row.integer(), revokedAt: try row.optionalInteger(),
            codeExpiresAt: try row.optionalInteger(), suspension: try suspension(&row), mpins: mpins,
            locks: try locks(of: userID, mpins))
    }
}
