// SPDX-License-Identifier: Apache-2.0
// The statements that remove expired rows.

/// Removes a few expired rows of one table. The condition has an index, so that the statement passes over no
/// rows that stay: some tables grow for ever.
struct PurgeStatement: Sendable {
    let table: String
    /// SQL that takes the time now as $1 and returns the key of each row that it removed.
    let sql: String

    /// The condition stands there twice: on PostgreSQL another transaction may renew a row that was found,
    /// and the removal waits for it and looks again.
    ///
    /// - Parameter key: the columns by which a row is found again.
    init(_ table: String, _ key: String, where expired: String) {
        self.table = table
        sql = """
            DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(expired)
                LIMIT \(Limits.rowsOfPurge)) AND (\(expired)) RETURNING \(key)
            """
    }

    /// The statements for all tables but the audit trail. Rows that count towards a block are kept.
    static let all = [
        PurgeStatement("pass_ones", "id, slot", where: "expires_at <= $1"),
        PurgeStatement("verdicts", "auth_ott", where: "expires_at <= $1"),
        PurgeStatement("awaited", "auth_ott", where: "expires_at <= $1"),
        PurgeStatement("nonces", "nonce", where: "expires_at <= $1"),
        PurgeStatement("registrations", "id", where: "expires_at <= $1"),
        PurgeStatement("codes", "user_id", where: "user_id <> '' AND expires_at <= $1"),
        PurgeStatement("joins", "host", where: "expires_at <= $1"),
        PurgeStatement("former_epochs", "host, epoch", where: "expires_at <= $1"),
        PurgeStatement("heads", "id, source", where: headEnd),
        PurgeStatement("tries", "number", where: "returned_at <= $1 - \(Limits.returnedTriesSpan)"),
        PurgeStatement(
            "tries", "number",
            where: "counter > 1 AND returned_at IS NULL AND at <= $1 - \(Limits.strangeTriesSpan)"),
        PurgeStatement("known_sources", "id, source", where: "last_at <= $1 - \(Limits.lastSourceLife)"),
        PurgeStatement("sessions", "wid", where: sessionEnd),
        PurgeStatement("reports", "id, source", where: "expires_at <= $1"),
        PurgeStatement("otps", "id", where: "expires_at <= $1"),
        PurgeStatement("otp_questions", "a, id", where: "expires_at <= $1"),
        PurgeStatement("application_sessions", "wid", where: "expires_at <= $1"),
        PurgeStatement("authorization_codes", "hash", where: "expires_at <= $1"),
        PurgeStatement("browsers", "wid", where: sessionEnd),
        PurgeStatement("wrong_codes", "source, hour", where: "hour < $1 / \(Limits.hour)"),
        PurgeStatement("lookups", "source, at", where: "at <= $1 - \(Limits.hour)"),
    ]

    /// SQL that takes the time now as $1 and returns a few identities that were not confirmed in time.
    static let unconfirmed = """
        SELECT id FROM identities WHERE unconfirmed = 1 AND revoked_at IS NULL
            AND issued_at <= $1 - \(Limits.unconfirmedLife) LIMIT \(Limits.rowsOfPurge)
        """

    private static let headEnd = """
        last_at <= $1 - \(Limits.headLife) AND locked_until <= $1 AND NOT (
            EXISTS (SELECT 1 FROM identities m
                WHERE m.id = heads.id AND m.block_after IS NOT NULL AND m.revoked_at IS NULL)
            AND (source = '*' OR EXISTS (SELECT 1 FROM known_sources k
                WHERE k.id = heads.id AND k.source = heads.source AND \(isKnown("$1")))))
        """

    /// An approved session is kept for its logout, any other one so that its console learns that it has
    /// ended.
    private static let sessionEnd = """
        expires_at <= $1 - \(Limits.approvedSessionLife)
        OR approved_by IS NULL AND expires_at <= $1 - \(Limits.endedSessionLife)
        """
}
