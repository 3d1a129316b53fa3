// SPDX-License-Identifier: Apache-2.0
// Identities and their activation codes, as the administrator handles them.
import MPinStorage

extension Transaction {
    func addIdentity(
        _ userID: String, codeHash: [UInt8], replace: Bool, byPicture: Bool
    ) throws(StorageError) -> [[UInt8]] {
        guard !userID.isEmpty, !(replace && byPicture) else { throw .refused }
        try admit(userID)
        try run(
            "DELETE FROM registrations WHERE user_id = $1 AND code IS NOT NULL", [.text(userID)])
        try run(
            """
            INSERT INTO codes (user_id, hash, replaces, by_picture, expires_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, replaces = excluded.replaces,
                by_picture = excluded.by_picture, expires_at = excluded.expires_at, issues = 0
            """,
            [
                .text(userID), .octets(codeHash), .flag(replace), .flag(byPicture),
                .integer(now + (byPicture ? Limits.pictureCodeLife : Limits.codeLife)),
            ])
        guard byPicture else { return [] }
        return try revokeMpins(of: userID) { $0.isUnconfirmed }
    }

    /// Makes the identity if it is new, and lifts its revocation: an administrator says so.
    func admit(_ userID: String) throws(StorageError) {
        try run(
            """
            INSERT INTO identities (user_id, added_at) VALUES ($1, $2)
            ON CONFLICT (user_id) DO UPDATE SET revoked_at = NULL
            """, [.text(userID), .integer(now)])
    }

    func identities(after: String?, limit: Int) throws(StorageError) -> [IdentityRecord] {
        var identities: [IdentityRecord] = []
        let found = try rows(
            """
            SELECT i.user_id, i.added_at, i.revoked_at, c.expires_at FROM identities i
            LEFT JOIN codes c ON c.user_id = i.user_id AND c.expires_at > $3
            WHERE i.user_id > $1 ORDER BY i.user_id LIMIT $2
            """, [.text(after ?? ""), .page(limit), .integer(now)])
        for var row in found {
            let userID = try row.text()
            identities.append(
                IdentityRecord(
                    userID: userID, addedAt: try row.integer(), revokedAt: try row.optionalInteger(),
                    codeExpiresAt: try row.optionalInteger(), mpins: try mpins(of: userID)))
        }
        return identities
    }

    func revoke(_ subject: Subject) throws(StorageError) -> Revocation? {
        switch subject {
        case .mpin(let id):
            guard try mpin(id: id) != nil else { return nil }
            // With what was registered in its place and was never granted since.
            var all = [id]
            var count = 0
            var index = 0
            while index < all.count {
                if try revokeMpin(all[index]) { count += 1 }
                all += try ids("SELECT id FROM mpins WHERE supersedes = $1", [.octets(all[index])])
                index += 1
            }
            return Revocation(ids: all, count: count)
        case .identity(let userID):
            let found = try row(
                """
                UPDATE identities SET revoked_at = COALESCE(revoked_at, $2) WHERE user_id = $1
                RETURNING user_id
                """, [.text(userID), .integer(now)])
            guard found != nil else { return nil }
            try run("DELETE FROM codes WHERE user_id = $1", [.text(userID)])
            try run("DELETE FROM registrations WHERE user_id = $1", [.text(userID)])
            let count = try revokeMpins(of: userID).count
            return Revocation(ids: try mpins(of: userID).map(\.description.id), count: count)
        }
    }

    func standing(of ids: [[UInt8]]) throws(StorageError) -> AccountStanding {
        var userID: String?
        var (live, revoked) = (0, 0)
        for id in ids {
            let found = try row(
                """
                SELECT m.user_id, CASE WHEN m.revoked_at IS NULL AND i.revoked_at IS NULL THEN 0 ELSE 1 END
                FROM mpins m JOIN identities i ON i.user_id = m.user_id WHERE m.id = $1
                """, [.octets(id)])
            guard var found else { continue }
            let name = try found.text()
            if userID == nil { userID = name }
            if try found.flag() { revoked += 1 } else { live += 1 }
        }
        // Ids that a rebuilt database does not know say nothing, for or against.
        return AccountStanding(userID: userID, isRevoked: revoked > 0 && live == 0)
    }

    func unlock(_ subject: Subject) throws(StorageError) -> Bool {
        switch subject {
        case .mpin(let id):
            try forgetTries("SELECT id FROM mpins WHERE id = $1", [.octets(id)])
            return try mpin(id: id) != nil
        case .identity(let userID):
            try forgetTries("SELECT id FROM mpins WHERE user_id = $1", [.text(userID)])
            return try row("SELECT 1 FROM identities WHERE user_id = $1", [.text(userID)]) != nil
        }
    }
}
