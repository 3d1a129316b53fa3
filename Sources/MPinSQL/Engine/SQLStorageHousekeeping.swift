// SPDX-License-Identifier: Apache-2.0
// Voids short-lived records at the start, and purges expired rows, a limited number at a time.
package import MPinStorage
package import Octets

extension SQLStorage: HousekeepingStorage {
    package func checkDeviceKeys(epoch: UInt32, check: [UInt8]) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            try t.run(
                "INSERT INTO device_keys (epoch, key_check) VALUES ($1, $2) ON CONFLICT (epoch) DO NOTHING",
                [.integer(epoch), .octets(check)])
            return try t.row(
                "SELECT 1 FROM device_keys WHERE epoch = $1 AND key_check = $2",
                [.integer(epoch), .octets(check)]) != nil
        }
    }

    package func revokeUnconfirmed() async throws(StorageError) -> [IdentityHash] {
        try await transaction(.durable) { t throws(StorageError) in
            let late = try t.ids(
                """
                SELECT id FROM mpins WHERE unconfirmed = 1 AND revoked_at IS NULL AND issued_at <= $1
                LIMIT 500
                """, [.integer(t.now - Limits.unconfirmedLife)])
            for id in late { _ = try t.revokeMpin(id) }
            return late
        }
    }

    package func purge() async throws(StorageError) -> Int {
        try await transaction(.brief) { t throws(StorageError) in
            var removed = 0
            for (table, key, expired) in purged {
                removed += try t.rows(
                    """
                    DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(expired)
                        LIMIT 500) RETURNING 1
                    """, [.integer(t.now)]
                ).count
            }
            return removed
        }
    }
}

extension Transaction {
    /// Voids the short-lived records, unless the database was closed in order and recently. After a loss of
    /// power, or in a copy, records that do not wait for the disk may be missing or may have come back, so
    /// none of them may be used. The same holds if the closing is too old or in the future: in such a copy,
    /// or by such a clock, expired records would be valid again.
    func open() throws(StorageError) {
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
    func close() throws(StorageError) { try run("INSERT INTO closings VALUES ($1)", [.integer(now)]) }
}

/// An approved session is kept for its logout, any other one so that its console learns that it has ended.
private let sessionEnd = """
    expires_at <= $1 - \(Limits.approvedSessionLife)
    OR approved_by IS NULL AND expires_at <= $1 - \(Limits.endedSessionLife)
    """

/// The number of the newest record that comes after the `bound` newest ones of its kind; 0 if there is none.
/// Records that strangers can cause are counted apart, so they never displace others.
private func audited(_ condition: String, behind bound: Int64) -> String {
    """
    COALESCE((SELECT number FROM audit WHERE \(condition) ORDER BY number DESC LIMIT 1 OFFSET \(bound)), 0)
    """
}

/// Table, primary key, and the condition for removing a row; $1 is now. Rows that count towards a block are
/// kept.
private let purged = [
    ("pass_ones", "id, slot", "expires_at <= $1"),
    ("verdicts", "auth_ott", "expires_at <= $1"),
    ("awaited", "auth_ott", "expires_at <= $1"),
    ("nonces", "nonce", "expires_at <= $1"),
    ("registrations", "id", "expires_at <= $1"),
    ("codes", "user_id", "user_id <> '' AND expires_at <= $1"),
    ("joins", "host", "expires_at <= $1"),
    ("former_epochs", "host, epoch", "expires_at <= $1"),
    (
        "heads", "id, source",
        """
        last_at <= $1 - \(Limits.headLife) AND locked_until <= $1 AND NOT (
            EXISTS (SELECT 1 FROM mpins m WHERE m.id = heads.id AND m.block_after IS NOT NULL)
            AND (source = '*' OR EXISTS (SELECT 1 FROM known_sources k
                WHERE k.id = heads.id AND k.source = heads.source)))
        """
    ),
    ("tries", "number", "returned_at <= $1 - \(Limits.returnedTriesSpan)"),
    ("known_sources", "id, source", "last_at <= $1 - \(Limits.knownSourceLife)"),
    ("sessions", "wid", sessionEnd),
    ("reports", "id, source", "expires_at <= $1"),
    ("otps", "id", "expires_at <= $1"),
    ("otp_questions", "a, id", "expires_at <= $1"),
    ("application_sessions", "wid", "expires_at <= $1"),
    ("authorization_codes", "hash", "expires_at <= $1"),
    ("browsers", "wid", sessionEnd),
    ("wrong_codes", "source, hour", "hour < $1 / \(Limits.hour)"),
    ("lookups", "source, at", "at <= $1 - \(Limits.hour)"),
    (
        "audit", "number",
        """
        (kind = 'login' OR kind = 'code.redeem' OR kind LIKE 'session.%')
        AND number <= \(audited("kind <> 'code.wrong'", behind: Limits.loginRecords)) AND $1 > 0
        """
    ),
    (
        "audit", "number",
        """
        kind = 'code.wrong'
        AND number <= \(audited("kind = 'code.wrong'", behind: Limits.wrongCodeRecords)) AND $1 > 0
        """
    ),
]
