// SPDX-License-Identifier: Apache-2.0
// Sessions of browsers, from the page that opens them to the logout.
import MPinDatabase
import Octets

private let browserColumns = """
    wid, account, source, opened_at, expires_at, state, approved_at, approved_by, result, logout_url,
    logout_data
    """
/// $1 is now.
private let isLive = "state <= \(BrowserState.approved.rawValue) AND expires_at > $1"

extension SharedPlaces {
    /// An approved session has had its proof and needs no place.
    static let browsers = SharedPlaces(
        table: "browsers", held: "state < \(BrowserState.approved.rawValue)", key: "wid", made: "opened_at",
        isScanned: "state > \(BrowserState.new.rawValue)",
        end: "UPDATE browsers SET state = \(BrowserState.ended.rawValue), number = NULL",
        inAll: Limits.browsersInAll, ofSource: Limits.browsersPerSource)
}

extension BrowserState {
    fileprivate var column: Value { .integer(Int64(rawValue)) }
}

extension BrowserName {
    fileprivate var column: String {
        switch self {
        case .session(.wid): "wid"
        case .session(.number): "number"
        case .webOTT: "web_ott"
        }
    }

    fileprivate var value: Value {
        switch self {
        case .session(.wid(let text)), .session(.number(let text)): .text(text)
        case .webOTT(let hash): .octets(hash)
        }
    }
}

extension ServerDatabase {
    /// Opens a session. Stores nothing if the result is `full` or `numberTaken`.
    /// Does not wait for the disk: if a loss of power takes a session, the browser opens another.
    func openBrowser(_ opening: BrowserOpening) async throws(StorageError) -> SessionOpened {
        let searches = placeSearches
        return try await transaction(.brief) { t throws(StorageError) in
            try t.serialize(on: .name("browsers"), .name("number " + (opening.number ?? "")))
            guard try t.place(in: .browsers, for: opening.requester, searches) == .free else { return .full }
            if let number = opening.number, try t.isTaken(number) { return .numberTaken }
            try t.run(
                """
                INSERT INTO browsers (wid, number, account, web_ott, auth_ott, opened_at, expires_at, state,
                    network32, network40, network, source)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                """,
                [
                    .text(opening.wid), .text(opening.number), .text(opening.account),
                    .octets(opening.webOTTHash), .octets(opening.authOTTHash), .integer(t.now),
                    .integer(t.now + opening.life + Limits.browserGrace), BrowserState.new.column,
                ] + opening.requester.networks.map { .text($0) })
            return .opened(at: t.now)
        }
    }

    /// A session, live or not, until it is purged.
    func browser(_ name: BrowserName) async throws(StorageError) -> BrowserRecord? {
        try await transaction(.read) { t throws(StorageError) in try t.browser(name) }
    }

    /// Notes how far a device has come with a live session. The state never moves back, and never as far as
    /// an approval.
    func advanceBrowser(wid: String, to state: BrowserState) async throws(StorageError) {
        try await transaction(.brief) { t throws(StorageError) in
            guard state == .scanned || state == .chosen else { return }
            try t.run(
                "UPDATE browsers SET state = $3 WHERE wid = $2 AND state < $3 AND expires_at > $1",
                [.integer(t.now), .text(wid), state.column])
        }
    }

    /// Marks a live session approved. Returns false if another device has approved it already.
    func approveBrowser(_ approval: Approval) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            guard try t.mayApprove(approval.id) else { return false }
            return try t.row(
                """
                UPDATE browsers
                SET state = $3, approved_by = $4, approved_from = $5, token = $6, approved_at = $1
                WHERE wid = $2 AND \(isLive) AND (approved_by IS NULL OR approved_by = $4) RETURNING wid
                """,
                [
                    .integer(t.now), .text(approval.wid), BrowserState.approved.column, .octets(approval.id),
                    .text(approval.source), .octets(approval.tokenHash),
                ]) != nil
        }
    }

    /// Uses up an approval once, within its minute, by the browser's own authOTT. Nil if there is nothing to
    /// redeem. The session ends instead of being redeemed if the approver is revoked, suspended or blocked by
    /// then. `result` is what the device will receive.
    func redeemBrowser(
        authOTTHash: TicketHash, result: LoginResult
    ) async throws(StorageError) -> BrowserRecord? {
        try await transaction(.durable) { t throws(StorageError) in
            let approver = "SELECT approved_by FROM browsers WHERE auth_ott = $1"
            guard try t.serialize(onOwnerFoundBy: approver, [.octets(authOTTHash)]) != nil else { return nil }
            let used = try t.browser(
                """
                UPDATE browsers SET state = $3, number = NULL, result = $5, logout_url = $6, logout_data = $7
                WHERE auth_ott = $2 AND state = $4 AND approved_at > $1 RETURNING \(browserColumns)
                """,
                [
                    .integer(t.now - Limits.verdictLife), .octets(authOTTHash), BrowserState.redeemed.column,
                    BrowserState.approved.column,
                ] + t.columns(result))
            guard let used, let approver = used.approver else { return used }
            let refusal: Int64? = approver.isOut ? 403 : approver.blockedAt != nil ? 410 : nil
            guard let refusal else { return used }
            try t.run(
                "UPDATE browsers SET state = $2, result = $3 WHERE wid = $1",
                [.text(used.wid), BrowserState.ended.column, .integer(refusal)])
            return used
        }
    }

    /// Stores once the RPA's result of a redeemed session; false if no session waits for it.
    func finishBrowser(
        authOTTHash: TicketHash, result: LoginResult
    ) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            try t.row(
                """
                UPDATE browsers SET result = $3, logout_url = COALESCE($4, logout_url),
                    logout_data = COALESCE($5, logout_data)
                WHERE auth_ott = $1 AND state = $2 AND result IS NULL RETURNING wid
                """, [.octets(authOTTHash), BrowserState.redeemed.column] + t.columns(result)) != nil
        }
    }

    /// Ends a live session: for the device `id`, unless another device has approved it; with `id` nil, only
    /// if no device has approved it.
    /// Waits for the disk if a device ends the session. A stranger needs no proof, so a flood of such ends
    /// must not keep the disk busy.
    func endBrowser(wid: String, by id: IdentityHash?) async throws(StorageError) -> Bool {
        try await transaction(id == nil ? .brief : .durable) { t throws(StorageError) in
            try t.row(
                """
                UPDATE browsers SET state = $3, number = NULL
                WHERE wid = $2 AND \(isLive) AND (approved_by IS NULL OR approved_by = $4) RETURNING wid
                """, [.integer(t.now), .text(wid), BrowserState.ended.column, .octets(id)]) != nil
        }
    }

    /// Notes once that a redeemed session is over, if token and userID belong to it, and returns it.
    func logOutBrowser(
        tokenHash: SessionTokenHash, userID: String
    ) async throws(StorageError) -> BrowserRecord? {
        try await transaction(.durable) { t throws(StorageError) in
            try t.browser(
                """
                UPDATE browsers SET state = $3 WHERE token = $1 AND state = $4
                AND approved_by IN (SELECT id FROM identities WHERE user_id = $2) RETURNING \(browserColumns)
                """,
                [
                    .octets(tokenHash), .text(userID), BrowserState.loggedOut.column,
                    BrowserState.redeemed.column,
                ])
        }
    }
}

extension Transaction {
    /// Whether a live session, of a console or a browser, has the number. Takes the number from a session
    /// that has expired.
    func isTaken(_ number: String) throws(StorageError) -> Bool {
        for table in ["sessions", "browsers"] {
            try run(
                "UPDATE \(table) SET number = NULL WHERE number = $2 AND expires_at <= $1",
                [.integer(now), .text(number)])
            if try row("SELECT 1 FROM \(table) WHERE number = $1", [.text(number)]) != nil { return true }
        }
        return false
    }

    func browser(_ name: BrowserName) throws(StorageError) -> BrowserRecord? {
        try browser("SELECT \(browserColumns) FROM browsers WHERE \(name.column) = $1", [name.value])
    }

    /// Reads the session that a statement returns, with its approver.
    fileprivate func browser(_ statement: String, _ values: [Value]) throws(StorageError) -> BrowserRecord? {
        guard var row = try row(statement, values) else { return nil }
        let (wid, account, source) = (try row.text(), try row.text(), try row.text())
        let (openedAt, expiresAt) = (try row.integer(), try row.integer())
        guard let state = BrowserState(rawValue: try row.number(UInt8.self)) else { throw .corrupt }
        let approvedAt = try row.optionalInteger()
        let approver: IdentityHash? = try row.optionalFixed()
        let status = try row.optionalInteger()
        let (url, data) = (try row.optionalText(), try row.optionalText())
        var identity: IdentityRecord?
        if let approver { identity = try self.identity(id: approver) }
        return BrowserRecord(
            wid: wid, account: account, source: source, openedAt: openedAt, expiresAt: expiresAt,
            readAt: now, state: state, approvedAt: approvedAt, approver: identity,
            result: LoginResult(status: status.map { Int($0) }, logoutURL: url, logoutData: data))
    }

    fileprivate func columns(_ result: LoginResult) -> [Value] {
        [
            .integer(result.status), .text(result.logoutURL), .text(result.logoutData),
        ]
    }
}
