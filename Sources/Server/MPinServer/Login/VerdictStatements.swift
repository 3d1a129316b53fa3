// SPDX-License-Identifier: Apache-2.0
// The verdicts on pass 2, and their one redemption.
import MPinDatabase
import Octets

private let verdictColumns = """
    id, source, result, host, host_epoch, purpose, purpose_of, otp, client_id, origin, learns, counting
    """

extension VerdictPurpose {
    fileprivate var columns: [Value] {
        switch self {
        case .login: [.integer(0), .octets([])]
        case .question(let a): [.integer(1), .octets(a)]
        case .changePIN(let a, let account): [.integer(3), PINChangeColumn(a, account: account).value]
        case .session(let wid): [.integer(2), .octets(Array(wid.utf8))]
        case .application(let wid): [.integer(4), .octets(Array(wid.utf8))]
        }
    }

    fileprivate init(_ row: inout Row) throws(StorageError) {
        switch (try row.integer(), try row.octets()) {
        case (0, _): self = .login
        case (1, let a): self = .question(try questionHash(a))
        case (2, let text): self = .session(try wid(text))
        case (3, let both):
            let change = try PINChangeColumn(both)
            self = .changePIN(change.a, account: change.account)
        case (4, let text): self = .application(try wid(text))
        default: throw .corrupt
        }
    }
}

private func wid(_ octets: [UInt8]) throws(StorageError) -> String {
    guard let text = String(validating: octets, as: UTF8.self) else { throw .corrupt }
    return text
}

extension ServerDatabase {
    /// Writes the verdict, which can be redeemed within 60 seconds. A good one clears the count of id and
    /// source and notes the login. A try that never gets here stays counted as wrong.
    /// Does not wait for the disk: a loss of power can lose the verdict and what a right proof gives back,
    /// but not the count of the try.
    ///
    /// - Parameter warning: the record for the audit trail if this is the 50th wrong try of strange sources.
    func finishVerification(
        _ verdict: VerdictRecord, warning: AuditEvent? = nil
    ) async throws(StorageError) {
        try await transaction(.brief) { t throws(StorageError) in
            try t.serialize(on: .owner(of: verdict.id))
            switch verdict.result {
            case .good: try t.noteLogin(verdict)
            case .wrong:
                try t.noteWrong(verdict)
                if let warning, try t.isScarce(after: verdict) { try t.append(warning) }
            // These answers do not depend on the PIN. No PIN counts as wrong here, so the counters do not
            // show whether it was right.
            case .revoked, .secretExpired: try t.forgive(verdict, since: t.now)
            case .locked, .suspended: break
            }
            try t.run(
                """
                INSERT INTO verdicts (auth_ott, \(verdictColumns), expires_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
                """,
                [
                    .octets(verdict.authOTTHash), .octets(verdict.id), .text(verdict.source),
                    .integer(Int64(verdict.result.rawValue)), .text(verdict.host),
                    .integer(verdict.hostEpoch),
                ] + verdict.purpose.columns + [
                    .octets(verdict.otp), .text(verdict.clientID),
                ] + verdict.origin.columns + [
                    .integer(Int64(verdict.counting.rawValue)), .integer(t.now + Limits.verdictLife),
                ])
        }
    }

    /// Uses up a ticket (authOTT) once, within its life and for its own purpose; otherwise it returns nil and
    /// changes nothing. A refused login that was to change a PIN can also be redeemed as a plain `question`
    /// with the same hash A.
    /// A refused login that was to change a PIN is redeemed like any other; a good one cannot be redeemed
    /// here.
    ///
    /// - Parameter event: makes the record for the audit trail, which is written in the same transaction; nil
    ///   writes none. The closure may run more than once.
    func redeem(
        authOTTHash: TicketHash, purpose: VerdictPurpose,
        recording event: @escaping @Sendable (Redemption) -> AuditEvent? = { _ in nil }
    ) async throws(StorageError) -> Redemption? {
        try await transaction(.durable) { t throws(StorageError) in
            let redemption = try t.redeem(
                authOTTHash,
                where: """
                    (purpose = $3 AND purpose_of = $4
                    OR purpose = 3 AND result <> 0 AND SUBSTR(purpose_of, 1, 32) = $4)
                    """, purpose.columns, keepsOTP: purpose == .login, lives: lives)
            if let redemption, let event = event(redemption) { try t.append(event) }
            return redemption
        }
    }

    /// The same for a plain login to an external RPA. Such an RPA checks the one-time password itself, so
    /// none is made valid here.
    func redeemForExternalRPA(authOTTHash: TicketHash) async throws(StorageError) -> Redemption? {
        try await transaction(.durable) { t throws(StorageError) in
            try t.redeem(authOTTHash, where: "purpose = 0", lives: lives)
        }
    }

    /// Uses up a ticket that was made for any session; the verdict's purpose names the session's wid.
    func redeemForSession(authOTTHash: TicketHash) async throws(StorageError) -> Redemption? {
        try await transaction(.durable) { t throws(StorageError) in
            try t.redeem(authOTTHash, where: "purpose = 2", lives: lives)
        }
    }

    /// Uses up a ticket that was made for any application's session.
    func redeemForApplication(authOTTHash: TicketHash) async throws(StorageError) -> Redemption? {
        try await transaction(.durable) { t throws(StorageError) in
            try t.redeem(authOTTHash, where: "purpose = 4", lives: lives)
        }
    }

    /// Remembers for a minute that an RPA has redeemed this ticket and will report the result of its login.
    func awaitResult(authOTTHash: TicketHash) async throws(StorageError) {
        try await transaction(.brief) { t throws(StorageError) in
            try t.run(
                "INSERT INTO awaited (auth_ott, expires_at) VALUES ($1, $2)",
                [.octets(authOTTHash), .integer(t.now + Limits.verdictLife)])
        }
    }

    /// Forgets what `awaitResult` noted; true the first time.
    func takeResult(authOTTHash: TicketHash) async throws(StorageError) -> Bool {
        try await transaction(.brief) { t throws(StorageError) in
            try t.row(
                "DELETE FROM awaited WHERE auth_ott = $1 AND expires_at > $2 RETURNING auth_ott",
                [.octets(authOTTHash), .integer(t.now)]) != nil
        }
    }
}

extension Transaction {
    fileprivate func redeem(
        _ authOTTHash: TicketHash, where purpose: String, _ values: [Value] = [], keepsOTP: Bool = false,
        lives: Lives
    ) throws(StorageError) -> Redemption? {
        guard let verdict = try takeVerdict(authOTTHash, where: purpose, values) else { return nil }
        try serialize(on: .owner(of: verdict.id))
        let identity = try identity(id: verdict.id)
        var revoked: [IdentityHash] = []
        var living: LivingOTP?
        var wrong: WrongTries?
        if verdict.result == .good, let identity, !identity.isOut, identity.blockedAt == nil {
            revoked = try supersede(by: verdict.id)
            if keepsOTP, !identity.isUnconfirmed, let otp = verdict.otp {
                living = try keepOTP(otp, of: verdict.id, for: lives.otp)
            }
            if verdict.origin.learns { try learn(verdict.id, verdict.origin.text) }
            wrong = verdict.origin.showsNoNotice ? identity.wrongTries : try takeWrongTries(of: identity)
        }
        return Redemption(
            verdict: verdict, identity: identity, tries: try standing(of: verdict, identity, lives.locks),
            wrongTries: wrong, revoked: revoked, otp: living, hostKey: try hostKey(of: verdict))
    }

    private func hostKey(of verdict: VerdictRecord) throws(StorageError) -> HostKeyRecord? {
        guard let name = verdict.host, let host = try host(name) else { return nil }
        return host.keys.first { $0.epoch == verdict.hostEpoch }
    }

    /// Takes the verdict of a good login that may change the account's PIN at this host.
    func takePINChange(
        _ authOTTHash: TicketHash, host: String, account: [UInt8]
    ) throws(StorageError) -> VerdictRecord? {
        try takeVerdict(
            authOTTHash,
            where: "purpose = 3 AND result = 0 AND host = $3 AND SUBSTR(purpose_of, 33) = $4",
            [.text(host), .octets(account)])
    }

    /// Takes a verdict. This is the one statement that uses up a ticket (authOTT).
    private func takeVerdict(
        _ authOTTHash: TicketHash, where purpose: String, _ values: [Value] = []
    ) throws(StorageError) -> VerdictRecord? {
        let taken = try row(
            """
            DELETE FROM verdicts WHERE auth_ott = $1 AND expires_at > $2 AND \(purpose)
            RETURNING \(verdictColumns)
            """, [.octets(authOTTHash), .integer(now)] + values)
        guard var taken else { return nil }
        let id: IdentityHash = try taken.fixed()
        let source = try taken.text()
        guard let result = ProofResult(rawValue: try taken.number(UInt8.self)) else { throw .corrupt }
        let host = try taken.optionalText()
        let hostEpoch = try taken.optionalEpoch()
        let purpose = try VerdictPurpose(&taken)
        let otp = try taken.optionalOctets()
        let clientID = try taken.optionalText()
        let origin = try TryOrigin(&taken)
        guard let counting = TryCounting(rawValue: try taken.number(UInt8.self)) else { throw .corrupt }
        return VerdictRecord(
            authOTTHash: authOTTHash, id: id, source: source, result: result, purpose: purpose, host: host,
            hostEpoch: hostEpoch, origin: origin, counting: counting, otp: otp, clientID: clientID)
    }

    /// The first login of an identity revokes the identity that it replaces, the one which that was to
    /// replace, and so on. It also revokes all others that were to replace one of these.
    private func supersede(by id: IdentityHash) throws(StorageError) -> [IdentityHash] {
        var revoked: [IdentityHash] = []
        var newest = id
        while let older = try ids(
            "SELECT supersedes FROM identities WHERE id = $1 AND supersedes IS NOT NULL", [.octets(newest)]
        ).first {
            try run("UPDATE identities SET supersedes = NULL WHERE id = $1", [.octets(newest)])
            let rivals = try ids("SELECT id FROM identities WHERE supersedes = $1", [.octets(older)])
            for id in [older] + rivals where try revokeIdentity(id) { revoked.append(id) }
            newest = older
        }
        return revoked
    }
}
