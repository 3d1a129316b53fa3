// SPDX-License-Identifier: Apache-2.0
// The sources from which the owner of a host's PIN has logged in (docs/login.md, section 7).
import MPinDatabase
import Octets

extension Transaction {
    /// Whether a source is known: there was a login from it within the last 90 days, or within the last year
    /// and it is one of the last two.
    func knows(_ id: IdentityHash, _ origin: TryOrigin) throws(StorageError) -> Bool {
        try row(
            "SELECT 1 FROM known_sources k WHERE id = $1 AND source = $2 AND \(isKnown("$3"))",
            [.octets(id), .text(origin.text), .integer(now)]) != nil
    }

    /// Makes all sources known that another identity knows.
    func learn(_ id: IdentityHash, knownTo other: IdentityHash) throws(StorageError) {
        try run(
            """
            INSERT INTO known_sources (id, source, last_at)
            SELECT $1, source, last_at FROM known_sources WHERE id = $2 ON CONFLICT (id, source) DO NOTHING
            """, [.octets(id), .octets(other)])
    }

    /// Makes a source known to the PINs on this host of the user who has approved a login from there.
    func learn(_ source: String, byApprovalOf approver: IdentityHash, at host: String) throws(StorageError) {
        let pins = try ids(
            """
            SELECT id FROM identities WHERE host = $2 AND revoked_at IS NULL
                AND user_id = (SELECT user_id FROM identities WHERE id = $1)
            """, [.octets(approver), .text(host)])
        for id in pins { try learn(id, source) }
    }

    /// Notes a login. If there are too many known sources, those used longest ago are removed.
    func learn(_ id: IdentityHash, _ source: String) throws(StorageError) {
        try run(
            """
            INSERT INTO known_sources (id, source, last_at) VALUES ($1, $2, $3)
            ON CONFLICT (id, source) DO UPDATE SET last_at = excluded.last_at
            """, [.octets(id), .text(source), .integer(now)])
        try run(
            """
            DELETE FROM known_sources WHERE id = $1 AND source IN (SELECT source FROM known_sources
                WHERE id = $1 ORDER BY last_at DESC, source = $3 DESC LIMIT 1000 OFFSET $2)
            """, [.octets(id), .integer(Limits.knownSources), .text(source)])
    }
}

/// SQL: whether the row `k` of `known_sources` makes its source known.
/// - Parameter now: the time, as SQL.
func isKnown(_ now: String) -> String {
    """
    (k.last_at > \(now) - \(Limits.knownSourceLife)
        OR k.last_at > \(now) - \(Limits.lastSourceLife) AND \(Limits.lastSources) > (
            SELECT COUNT(*) FROM known_sources n
            WHERE n.id = k.id AND (n.last_at, n.source) > (k.last_at, k.source)))
    """
}
