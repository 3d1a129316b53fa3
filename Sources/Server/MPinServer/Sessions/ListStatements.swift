// SPDX-License-Identifier: Apache-2.0
// The lists of what waits: which devices the question of a login lists, and which logins wait for a device.
import MPinDatabase
import Octets

/// A list as one statement. $1 is now, $2 the device. It has the newest sessions, but not all of one source,
/// so that a stranger who knows an account cannot fill it from one address.
let waitingList = """
    SELECT \(sessionColumns), number FROM (
        SELECT s.*, ROW_NUMBER() OVER (PARTITION BY d.source ORDER BY s.opened_at DESC, s.wid) AS place
        FROM session_devices d JOIN sessions s ON s.wid = d.wid
        WHERE d.id = $2 AND d.expires_at > $1 AND s.expires_at > $1
            AND (s.state = \(SessionState.open.rawValue)
                OR s.state = \(SessionState.approved.rawValue) AND s.approved_by = $2)
            AND NOT EXISTS (SELECT 1 FROM reports r
                WHERE r.id = $2 AND r.source = s.source AND r.expires_at > $1)
    ) AS waiting
    WHERE place <= \(Limits.listedPerSource) ORDER BY opened_at DESC, wid LIMIT \(Limits.listedSessions)
    """

extension ServerDatabase {
    /// The sessions that wait for a device, the newest first: those that it may approve, unless its owner has
    /// reported their source.
    func sessions(waitingFor id: IdentityHash) async throws(StorageError) -> [ListedSession] {
        try await transaction(.read) { t throws(StorageError) in
            var sessions: [ListedSession] = []
            for var row in try t.rows(waitingList, [.integer(t.now), .octets(id)]) {
                let session = try SessionRecord(&row, readAt: t.now)
                sessions.append(ListedSession(session: session, number: try row.text()))
            }
            return sessions
        }
    }
}

extension Transaction {
    /// Puts a new session into the lists of its devices. A question may name a device twice.
    func list(_ opening: SessionOpening) throws(StorageError) {
        for id in opening.devices {
            try run(
                """
                INSERT INTO session_devices (wid, id, source, expires_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (wid, id) DO NOTHING
                """,
                [
                    .text(opening.wid), .octets(id), .text(opening.listedSource),
                    .integer(now + opening.life),
                ])
        }
    }

    /// Takes a session out of all lists, so that sessions that are opened and ended again and again make no
    /// list longer to read.
    func unlist(wid: String) throws(StorageError) {
        try run("DELETE FROM session_devices WHERE wid = $1", [.text(wid)])
    }
}
