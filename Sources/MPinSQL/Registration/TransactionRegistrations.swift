// SPDX-License-Identifier: Apache-2.0
// Pending registrations: who may make one, who confirms it, and its end, the issue of the client secret.
import MPinStorage

/// What a registration brings along from what authorised it.
struct Grant {
    var active = true
    /// The hash of the activation code, which the first login spends.
    var code: [UInt8]?
    var replaces = false
    var isByPicture = false
    /// The mpinId whose place the new one takes.
    var supersedes: [UInt8]?
    /// The hash of what makes it active.
    var activateKey: [UInt8]?
    /// So many wrong PINs in a row block the mpinId.
    var blockAfter: Int64?
    /// Those of all sources together.
    var countsTogether = false
}

// No `activate_key IS NULL`: RETURNING has been seen to answer that wrong (SQLite 3.40.1).
private let registrationColumns = "\(describing), active, source, created_at, expires_at, activate_key"

extension RegistrationRecord {
    fileprivate init(_ row: inout Row) throws(StorageError) {
        self.init(
            description: try MpinDescription(&row), active: try row.flag(), source: try row.text(),
            createdAt: try row.integer(), expiresAt: try row.integer(),
            awaitsParty: try row.optionalOctets() != nil)
    }
}

extension Transaction {
    func register(
        _ request: RegistrationRequest, by authorization: Authorization
    ) throws(StorageError) -> RegistrationOutcome {
        let userID = request.description.userID
        guard !userID.isEmpty else { throw .refused }
        let grant: Grant?
        switch authorization {
        case .code(let hash, let tried):
            grant = try grantByCode(request.description, hash: hash, tried: tried)
        case .confirmation:
            if let seconds = try secondsUntilPlace(request.source) { return .full(seconds: seconds) }
            grant = Grant(active: false)
        case .login(let hash, let account):
            grant = try grantByLogin(request.description, authOTTHash: hash, account: account)
        case .party(let hash):
            if let seconds = try secondsUntilPlace(request.source) { return .full(seconds: seconds) }
            // Whom an administrator revoked, no RPA brings back. A revoked name takes a place all the same:
            // else whoever counts the places would learn which names are revoked.
            let isRevoked = try row(
                "SELECT 1 FROM identities WHERE user_id = $1 AND revoked_at IS NOT NULL", [.text(userID)])
            guard isRevoked == nil else {
                try insert(request, Grant(active: false))
                return .refused
            }
            grant = Grant(active: false, activateKey: hash)
        }
        guard let grant else { return .refused }
        try insert(request, grant)
        return grant.active ? .active : .waiting
    }

    /// One statement looks for the code and compares it, with the empty user's where the name has none. A
    /// right code drops the registration that it was tied to. One in a picture is for a device alone.
    private func grantByCode(
        _ description: MpinDescription, hash: [UInt8], tried: CodeTry
    ) throws(StorageError) -> Grant? {
        let userID = description.userID
        let grant = try counted(tried) { () throws(StorageError) -> Grant? in
            let found = try row(
                """
                SELECT CASE WHEN user_id = $1 AND hash = $2 AND (by_picture = 0 OR $4) THEN 1 ELSE 0 END,
                    replaces, by_picture, block_after FROM codes
                WHERE user_id = COALESCE((SELECT user_id FROM codes
                    WHERE user_id = $1 AND expires_at > $3), '')
                """,
                [.text(userID), .octets(hash), .integer(now), .flag(description.kind == .bound)])
            guard var found, try found.flag() else { return nil }
            return Grant(
                code: hash, replaces: try found.flag(), isByPicture: try found.flag(),
                blockAfter: try found.optionalInteger())
        }
        guard let grant else { return nil }
        try run(
            "DELETE FROM registrations WHERE user_id = $1 AND code = $2", [.text(userID), .octets(hash)])
        return grant
    }

    func activate(id: [UInt8], activateKeyHash: [UInt8]) throws(StorageError) -> Bool {
        let found = try row(
            """
            UPDATE registrations SET active = 1
            WHERE id = $1 AND activate_key = $2 AND expires_at > $3
            AND user_id NOT IN (SELECT user_id FROM identities WHERE revoked_at IS NOT NULL)
            RETURNING user_id
            """, [.octets(id), .octets(activateKeyHash), .integer(now)])
        guard var found else { return false }
        try admit(found.text())
        return true
    }

    /// Nil if one more may wait; else the seconds until a place of this source, or of all, is free. It
    /// depends on nobody's name.
    private func secondsUntilPlace(_ source: String) throws(StorageError) -> Int64? {
        try run("DELETE FROM registrations WHERE active = 0 AND expires_at <= $1", [.integer(now)])
        let waiting = try row(
            """
            SELECT COUNT(*), COALESCE(MIN(expires_at), 0), COUNT(CASE WHEN source = $1 THEN 1 END),
                COALESCE(MIN(CASE WHEN source = $1 THEN expires_at END), 0)
            FROM registrations WHERE active = 0
            """, [.text(source)])
        guard var waiting else { throw .corrupt }
        let (all, allUntil) = (try waiting.integer(), try waiting.integer())
        let (own, ownUntil) = (try waiting.integer(), try waiting.integer())
        for (count, places, end) in [
            (own, Limits.registrationsPerSource, ownUntil), (all, Limits.registrationsInAll, allUntil),
        ] where count >= places {
            return max(1, (end - now + Limits.second - 1) / Limits.second)
        }
        return nil
    }

    private func grantByLogin(
        _ description: MpinDescription, authOTTHash: [UInt8], account: [UInt8]
    ) throws(StorageError) -> Grant? {
        guard case .host(let enrolment) = description.kind,
            let verdict = try takePINChange(authOTTHash, host: enrolment.host, account: account),
            let mpin = try mpin(id: verdict.id), mpin.revokedAt == nil, !mpin.isSuspended,
            areSame(mpin.description.userID, description.userID)
        else { return nil }
        return Grant(supersedes: mpin.description.id, blockAfter: mpin.blockAfter)
    }

    private func insert(_ request: RegistrationRequest, _ grant: Grant) throws(StorageError) {
        try run(
            """
            INSERT INTO registrations (\(describing), reg_ott, active, code, replaces, supersedes, source,
                created_at, expires_at, activate_key, origin, by_picture, block_after,
                counts_together)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
                $20, $21, $22, $23, $24)
            """,
            request.description.columns + [
                .octets(request.regOTTHash), .flag(grant.active), .octets(grant.code),
                .flag(grant.replaces), .octets(grant.supersedes), .text(request.source), .integer(now),
                .integer(now + lives.registration), .octets(grant.activateKey),
                .text(request.origin?.text), .flag(grant.isByPicture),
                .integer([grant.blockAfter, request.blockAfter].compactMap(\.self).min()),
                .flag(request.blockAfter != nil && request.description.kind == .unbound),
            ])
    }

    func registration(
        id: [UInt8], regOTTHash: [UInt8]
    ) throws(StorageError) -> RegistrationRecord? {
        let found = try row(
            """
            SELECT \(registrationColumns) FROM registrations
            WHERE id = $1 AND reg_ott = $2 AND expires_at > $3
            """, [.octets(id), .octets(regOTTHash), .integer(now)])
        guard var found else { return nil }
        return try RegistrationRecord(&found)
    }

    func renewRegistration(
        id: [UInt8], regOTTHash: [UInt8]
    ) throws(StorageError) -> RegistrationRecord? {
        let found = try row(
            """
            UPDATE registrations SET expires_at =
                CASE WHEN created_at + $5 < $4 THEN created_at + $5 ELSE $4 END
            WHERE id = $1 AND reg_ott = $2 AND expires_at > $3
            RETURNING \(registrationColumns)
            """,
            [
                .octets(id), .octets(regOTTHash), .integer(now), .integer(now + lives.registration),
                .integer(Limits.renewedRegistrationLife),
            ])
        guard var found else { return nil }
        return try RegistrationRecord(&found)
    }

    func forgetRegistration(id: [UInt8]) throws(StorageError) {
        try run("DELETE FROM registrations WHERE id = $1 AND active = 0", [.octets(id)])
    }

    func waitingRegistrations() throws(StorageError) -> [RegistrationRecord] {
        var waiting: [RegistrationRecord] = []
        let found = try rows(
            """
            SELECT \(registrationColumns) FROM registrations WHERE active = 0 AND expires_at > $1
            ORDER BY created_at, id
            """, [.integer(now)])
        for var row in found { waiting.append(try RegistrationRecord(&row)) }
        return waiting
    }

    func confirm(_ userID: String, idPrefix prefix: [UInt8]) throws(StorageError) -> Confirmation {
        let waiting = try ids(
            """
            SELECT id FROM registrations WHERE user_id = $1 AND active = 0 AND expires_at > $2
            ORDER BY created_at, id
            """, [.text(userID), .integer(now)])
        let unconfirmed = try ids(
            """
            SELECT id FROM mpins WHERE user_id = $1 AND unconfirmed = 1 AND revoked_at IS NULL
            ORDER BY issued_at, id
            """, [.text(userID)])
        let meant = (waiting + unconfirmed).filter { $0.starts(with: prefix) }
        guard let chosen = meant.first else { return .nobody }
        guard meant.count == 1 else { return .several(ids: meant) }
        if try confirmMpin(chosen) { return .confirmed(id: chosen) }
        try admit(userID)
        try run(
            "UPDATE registrations SET active = 1, expires_at = $2 WHERE id = $1",
            [.octets(chosen), .integer(now + lives.registration)])
        return .confirmed(id: chosen)
    }

    func issue(
        id: [UInt8], regOTTHash: [UInt8], deviceEpoch: UInt32, pushToken: String
    ) throws(StorageError) -> Issue? {
        let found = try row(
            """
            DELETE FROM registrations WHERE id = $1 AND reg_ott = $2 AND active = 1 AND expires_at > $3
            AND (by_picture = 0 OR created_at > $4)
            RETURNING \(describing), code, replaces, by_picture, supersedes, block_after, counts_together,
                origin
            """,
            [
                .octets(id), .octets(regOTTHash), .integer(now),
                .integer(now - Limits.pictureRegistrationLife),
            ])
        guard var found else { return nil }
        let description = try MpinDescription(&found)
        let grant = Grant(
            code: try found.optionalOctets(), replaces: try found.flag(), isByPicture: try found.flag(),
            supersedes: try found.optionalOctets(), blockAfter: try found.optionalInteger(),
            countsTogether: try found.flag())
        try insertMpin(description, by: grant, deviceEpoch: deviceEpoch, pushToken: pushToken)
        // Who changes a PIN goes on at the sources where the old one was known.
        if let older = grant.supersedes { try learn(id, knownTo: older) }
        if let origin = try found.optionalText() { try learn(id, origin) }
        var revoked: [[UInt8]] = []
        if let code = grant.code { revoked = try use(code, for: description) }
        if grant.replaces {
            revoked += try revokeMpins(of: description.userID) { $0.description.id != id }
        }
        guard let mpin = try mpin(id: id) else { throw .corrupt }
        return Issue(mpin: mpin, revoked: revoked)
    }

    /// Ends what was enrolled with the same code before, and gives its ids. A Milagro client logs in when its
    /// user next does, so its code is spent now. Ours log in at once, which spends it; until then, but not
    /// for long nor often, whoever lost the answer with the secret may begin again with it.
    private func use(
        _ code: [UInt8], for description: MpinDescription
    ) throws(StorageError) -> [[UInt8]] {
        let ended = try revokeMpins(of: description.userID, enrolledBy: code, before: description.id)
        let used = try row(
            """
            UPDATE codes SET issues = issues + 1,
                expires_at = CASE WHEN expires_at < $3 THEN expires_at ELSE $3 END
            WHERE user_id = $1 AND hash = $2 RETURNING issues
            """, [.text(description.userID), .octets(code), .integer(now + Limits.issuedCodeLife)])
        var issues: Int64 = 0
        if var used { issues = try used.integer() }
        if description.kind == .unbound || issues >= Limits.issuesPerCode {
            try spendCode(of: description.id)
        }
        return ended
    }
}
