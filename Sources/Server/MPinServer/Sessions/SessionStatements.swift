// SPDX-License-Identifier: Apache-2.0
// Sessions of consoles, from the question that opens them to the logout, and look-ups by number.
import MPinDatabase
import Octets

let sessionColumns = "wid, host, host_epoch, a, ask, opened_at, expires_at, state, approved_by"
/// $1 is now.
private let isLive = "state <= \(SessionState.approved.rawValue) AND expires_at > $1"

extension SharedPlaces {
    /// Each host has its own. An approved session has had its proof and needs no place.
    static let consoles = SharedPlaces(
        table: "sessions", held: "state = \(SessionState.open.rawValue)", kind: "host", key: "wid",
        made: "opened_at", isScanned: "scanned = 1",
        end: "UPDATE sessions SET state = \(SessionState.ended.rawValue), number = NULL",
        inAll: Limits.sessionsPerHost, ofSource: Limits.sessionsPerSource)
}

extension SessionState {
    fileprivate var column: Value { .integer(Int64(rawValue)) }
}

extension SessionName {
    fileprivate var column: String {
        switch self {
        case .wid: "wid"
        case .number: "number"
        }
    }

    fileprivate var value: Value {
        switch self {
        case .wid(let text), .number(let text): .text(text)
        }
    }
}

extension SessionRecord {
    init(_ row: inout Row, readAt now: UnixMilliseconds) throws(StorageError) {
        let wid = try row.text()
        let host = try row.text()
        let hostEpoch = try row.number(UInt32.self)
        let a: QuestionHash = try row.fixed()
        let question = try row.octets()
        let (openedAt, expiresAt) = (try row.integer(), try row.integer())
        guard let state = SessionState(rawValue: try row.number(UInt8.self)) else { throw .corrupt }
        self.init(
            wid: wid, host: host, hostEpoch: hostEpoch, a: a, question: question, openedAt: openedAt,
            expiresAt: expiresAt, readAt: now, state: state, approvedBy: try row.optionalFixed())
    }
}

extension ServerDatabase {
    /// Opens a session. Stores nothing if the result is `full` or `numberTaken`.
    /// Does not wait for the disk: if a loss of power takes a session, the console opens another.
    func openSession(_ opening: SessionOpening) async throws(StorageError) -> SessionOpened {
        let searches = placeSearches
        return try await transaction(.brief) { t throws(StorageError) in
            try t.serialize(on: .name("sessions " + opening.host), .name("number " + opening.number))
            guard try t.place(in: .consoles, of: opening.host, for: opening.requester, searches) == .free
            else {
                return .full
            }
            guard try !t.isTaken(opening.number) else { return .numberTaken }
            try t.run(
                """
                INSERT INTO sessions (wid, number, host, host_epoch, a, ask, opened_at, expires_at, state,
                    scanned, network32, network40, network, source)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12, $13)
                """,
                [
                    .text(opening.wid), .text(opening.number), .text(opening.host),
                    .integer(opening.hostEpoch),
                    .octets(opening.a), .octets(opening.questionOctets), .integer(t.now),
                    .integer(t.now + opening.life),
                    SessionState.open.column,
                ] + opening.requester.networks.map { .text($0) })
            try t.list(opening)
            return .opened(at: t.now)
        }
    }

    /// A live session: open or approved, and not expired; otherwise nil.
    func session(_ name: SessionName) async throws(StorageError) -> SessionRecord? {
        try await transaction(.read) { t throws(StorageError) in try t.session(name) }
    }

    /// Notes that a device has looked at the session of a console or of an application: when places are
    /// short, it gives way after those that no device has looked at.
    /// Does not wait for the disk: without the note the session only gives way earlier.
    func noteScan(wid: String) async throws(StorageError) {
        try await transaction(.brief) { t throws(StorageError) in
            for table in ["sessions", "application_sessions"] {
                try t.run("UPDATE \(table) SET scanned = 1 WHERE wid = $1 AND scanned = 0", [.text(wid)])
            }
        }
    }

    /// Finds a live session of a console or a browser by its number, for a requester who may have guessed it.
    /// Look-ups are counted, and the result is also nil after too many. The limit of a network does not apply
    /// to a source from which a session was approved within the last day.
    func lookUpSession(
        number: String, by requester: Requester, counting: CountedLookUps
    ) async throws(StorageError) -> Waiting? {
        try await transaction(.brief) { t throws(StorageError) in
            try t.serialize(
                on: .name("lookups source " + requester.source),
                .name("lookups network " + requester.network))
            let asked = try t.number(
                LookUpCount.ofSource,
                [.text(requester.source), .integer(t.now - Limits.minute), .flag(counting == .misses)])
            guard asked < Limits.lookUpsPerSource, try t.mayGuess(requester) else { return nil }
            let waiting = try t.waiting(number)
            guard counting == .all || waiting == nil else { return waiting }
            try t.run(
                "INSERT INTO lookups (source, network, wrong, at) VALUES ($1, $2, $3, $4)",
                [.text(requester.source), .text(requester.network), .flag(waiting == nil), .integer(t.now)])
            return waiting
        }
    }

    /// Marks a live session approved. Returns false if another device has approved it, if it is not live, or
    /// if the device's owner has reported logins from the session's source.
    func approve(_ approval: Approval) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            guard try t.mayApprove(approval.id) else { return false }
            return try t.row(
                """
                UPDATE sessions SET state = $3, approved_by = $4, approved_from = $5, token = $6
                WHERE wid = $2 AND \(isLive) AND (approved_by IS NULL OR approved_by = $4)
                AND NOT EXISTS (SELECT 1 FROM reports r
                    WHERE r.id = $4 AND r.source = sessions.source AND r.expires_at > $1)
                RETURNING wid
                """,
                [
                    .integer(t.now), .text(approval.wid), SessionState.approved.column, .octets(approval.id),
                    .text(approval.source), .octets(approval.tokenHash),
                ]) != nil
        }
    }

    /// Ends the live session that the question `a` opened; false if there is none of that name.
    /// - Parameter id: the device that denies it, which cannot end a session that another device has
    ///   approved; nil if the console gives up.
    func endSession(
        _ name: SessionName, a: QuestionHash, by id: IdentityHash?
    ) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            try t.endSession(name, a: a, by: id)
        }
    }

    /// The session that `a` opened, if it was granted and expired no more than ten minutes ago.
    func grantedSession(a: QuestionHash) async throws(StorageError) -> SessionRecord? {
        try await transaction(.read) { t throws(StorageError) in
            let found = try t.row(
                """
                SELECT \(sessionColumns) FROM sessions
                WHERE a = $1 AND state IN ($2, $4) AND expires_at > $3
                """,
                [
                    .octets(a), SessionState.granted.column, .integer(t.now - Limits.endedSessionLife),
                    SessionState.bound.column,
                ])
            guard var found else { return nil }
            return try SessionRecord(&found, readAt: t.now)
        }
    }

    /// Notes that a granted session has bound a phone, and records it; only the first time.
    /// The state says whether it was noted before.
    func noteBound(a: QuestionHash, recording event: AuditEvent) async throws(StorageError) {
        _ = try await act(recording: event, if: { $0 }) { t throws(StorageError) in
            try t.row(
                "UPDATE sessions SET state = $2 WHERE a = $1 AND state = $3 RETURNING wid",
                [.octets(a), SessionState.bound.column, SessionState.granted.column]) != nil
        }
    }

    /// Answers the console that asked `a`. The first call that finds an approval uses it up; it grants the
    /// login unless the approver is revoked or suspended by then. Nil: there is no such session, or it was
    /// purged.
    ///
    /// - Parameter origin: where a login comes from that this identity has approved, if the approval makes
    ///   the place known to the PINs of its user on that host. The closure may run more than once.
    func settleSession(
        a: QuestionHash,
        learning origin: @escaping @Sendable (SessionRecord, IdentityRecord) -> TryOrigin? = { _, _ in nil }
    ) async throws(StorageError) -> Settlement? {
        try await transaction(.durable) { t throws(StorageError) in
            let found = try t.row("SELECT \(sessionColumns) FROM sessions WHERE a = $1", [.octets(a)])
            guard var found else { return nil }
            let session = try SessionRecord(&found, readAt: t.now)
            guard session.state == .approved, let id = session.approvedBy else {
                return Settlement(session: session, approver: nil)
            }
            try t.serialize(on: .owner(of: id))
            guard let identity = try t.identity(id: id) else {
                return Settlement(session: session, approver: nil)
            }
            let outcome = identity.isOut ? SessionState.ended : .granted
            let used = try t.row(
                """
                UPDATE sessions SET state = $3, number = NULL WHERE a = $2 AND expires_at > $1 AND state = $4
                RETURNING wid
                """, [.integer(t.now), .octets(a), outcome.column, SessionState.approved.column])
            if used != nil, let origin = origin(session, identity), origin.learns {
                try t.learn(origin.text, byApprovalOf: id, at: session.host)
            }
            return Settlement(session: session, approver: used == nil ? nil : identity)
        }
    }

    /// Notes once that a granted session is over, if token and userID belong to it, and returns it.
    func logOut(tokenHash: SessionTokenHash, userID: String) async throws(StorageError)
        -> SessionRecord?
    {
        try await transaction(.durable) { t throws(StorageError) in
            let found = try t.row(
                """
                UPDATE sessions SET state = $3 WHERE token = $1 AND state = $4
                AND approved_by IN (SELECT id FROM identities WHERE user_id = $2) RETURNING \(sessionColumns)
                """,
                [
                    .octets(tokenHash), .text(userID), SessionState.loggedOut.column,
                    SessionState.granted.column,
                ])
            guard var found else { return nil }
            return try SessionRecord(&found, readAt: t.now)
        }
    }
}

extension Transaction {
    func session(_ name: SessionName) throws(StorageError) -> SessionRecord? {
        let found = try row(
            "SELECT \(sessionColumns) FROM sessions WHERE \(name.column) = $2 AND \(isLive)",
            [.integer(now), name.value])
        guard var found else { return nil }
        return try SessionRecord(&found, readAt: now)
    }

    fileprivate func waiting(_ number: String) throws(StorageError) -> Waiting? {
        if let session = try session(.number(number)) { return .console(session) }
        guard let browser = try browser(.session(.number(number))), browser.isLive else { return nil }
        return .browser(browser)
    }

    /// Requesters of one network share its limit of wrong look-ups. A source from which a stored session was
    /// approved is exempt.
    fileprivate func mayGuess(_ requester: Requester) throws(StorageError) -> Bool {
        let wrong = try number(
            LookUpCount.wrongOfNetwork, [.text(requester.network), .integer(now - Limits.hour)])
        if wrong < Limits.wrongLookUpsPerNetwork { return true }
        for table in ["sessions", "browsers"] {
            let known = "SELECT 1 FROM \(table) WHERE approved_from = $1 LIMIT 1"
            if try row(known, [.text(requester.source)]) != nil { return true }
        }
        return false
    }

    func endSession(_ name: SessionName, a: QuestionHash, by id: IdentityHash?) throws(StorageError) -> Bool {
        let ended = try row(
            """
            UPDATE sessions SET state = $4, number = NULL WHERE \(name.column) = $2 AND a = $3 AND \(isLive)
            AND (approved_by IS NULL OR approved_by = COALESCE($5, approved_by)) RETURNING wid
            """, [.integer(now), name.value, .octets(a), SessionState.ended.column, .octets(id)])
        guard var ended else { return false }
        try unlist(wid: try ended.text())
        return true
    }
}

/// Statements that count look-ups by number, as far as their limits.
enum LookUpCount {
    /// Look-ups of a source, all or only wrong ones.
    static let ofSource = limited(
        "lookups WHERE source = $1 AND at > $2 AND wrong >= $3", to: Limits.lookUpsPerSource)
    /// A network may have any number of right ones.
    static let wrongOfNetwork = limited(
        "lookups WHERE network = $1 AND at > $2 AND wrong = 1", to: Limits.wrongLookUpsPerNetwork)
}
