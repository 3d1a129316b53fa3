// SPDX-License-Identifier: Apache-2.0
// New registrations and what authorises them.
import MPinDatabase
import Octets

extension ServerDatabase {
    /// Stores a registration if it is authorised; a wrong code counts against its source. A right code is
    /// tied to this identity, and the pending registration that it was tied to before is dropped. The work is
    /// the same for every userID.
    func register(
        _ request: RegistrationRequest, by authorization: Authorization
    ) async throws(StorageError) -> RegistrationOutcome {
        let searches = placeSearches
        return try await transaction(.durable) { t throws(StorageError) in
            let userID = request.description.userID
            guard !userID.isEmpty else { throw .refused }
            try t.serialize(authorization, userID)
            let grant: Grant?
            switch authorization {
            case .code(let hash, let tried):
                grant = try t.grantByCode(request.description, hash: hash, tried: tried)
            case .confirmation:
                if let seconds = try t.secondsUntilPlace(request.requester, searches) {
                    return .full(seconds: seconds)
                }
                grant = Grant(active: false)
            case .login(let hash, let account):
                grant = try t.grantByLogin(request.description, authOTTHash: hash, account: account)
            case .externalRPA(let hash):
                if let seconds = try t.secondsUntilPlace(request.requester, searches) {
                    return .full(seconds: seconds)
                }
                // An RPA cannot lift an administrator's revocation. A revoked userID takes up a place all the
                // same: otherwise the number of free places would reveal which userIDs are revoked.
                let isRevoked = try t.row(
                    "SELECT 1 FROM users WHERE user_id = $1 AND revoked_at IS NOT NULL", [.text(userID)])
                guard isRevoked == nil else {
                    try t.insert(request, Grant(active: false), for: lives.registration)
                    return .refused
                }
                grant = Grant(active: false, activateKey: hash)
            }
            guard let grant else { return .refused }
            try t.insert(request, grant, for: lives.registration)
            return grant.active ? .active : .waiting
        }
    }

    /// Makes a waiting registration active, if the key is the one that its RPA was given; false if there is
    /// no such registration.
    func activate(id: IdentityHash, activateKeyHash: ActivateKeyHash) async throws(StorageError)
        -> Bool
    {
        try await transaction(.durable) { t throws(StorageError) in
            try t.serialize(on: .owner(of: id))
            let found = try t.row(
                """
                UPDATE registrations SET active = 1
                WHERE id = $1 AND activate_key = $2 AND expires_at > $3
                AND NOT EXISTS (SELECT 1 FROM users u
                    WHERE u.user_id = registrations.user_id AND u.revoked_at IS NOT NULL)
                RETURNING user_id
                """, [.octets(id), .octets(activateKeyHash), .integer(t.now)])
            guard var found else { return false }
            try t.admit(found.text())
            return true
        }
    }
}

extension SharedPlaces {
    /// Those that an administrator or an external RPA has not admitted yet.
    static let registrations = SharedPlaces(
        table: "registrations", held: "active = 0", key: "id", made: "created_at", isScanned: "1 = 0",
        end: "DELETE FROM registrations", inAll: Limits.registrationsInAll,
        ofSource: Limits.registrationsPerSource)
}

extension Transaction {
    /// Nil if one more registration may wait; otherwise the seconds until a place becomes free, if no other
    /// registration comes first. The result does not depend on the userID.
    fileprivate func secondsUntilPlace(
        _ requester: Requester, _ searches: PlaceSearches
    ) throws(StorageError) -> Int64? {
        let decision = try place(in: .registrations, for: requester, searches)
        guard decision != .free else { return nil }
        let isOfSource = decision == .sourceIsFull
        let firstEnd = try number(
            SharedPlaces.registrations.firstEnd(ofSource: isOfSource),
            isOfSource ? requester.networks.map { .text($0) } : [])
        return max(1, (firstEnd - now + Limits.second - 1) / Limits.second)
    }

    /// What waits is counted in all, so under one lock; wrong codes are counted by source and by network.
    fileprivate func serialize(_ authorization: Authorization, _ userID: String) throws(StorageError) {
        switch authorization {
        case .code(_, let tried):
            try serialize(on: .user(userID), tried.sourceKey, tried.networkKey)
        case .confirmation, .externalRPA: try serialize(on: .user(userID), .name("waiting"))
        case .login: try serialize(on: .user(userID))
        }
    }

    /// One statement looks up the code and compares it; a userID without a code is compared with the code of
    /// the empty userID. A right code drops the registration that it was tied to. A code in a QR code is only
    /// for a second device.
    fileprivate func grantByCode(
        _ description: IdentityDescription, hash: OneTimeCodeHash, tried: CodeTry
    ) throws(StorageError) -> Grant? {
        let userID = description.userID
        let grant = try counted(tried) { () throws(StorageError) -> Grant? in
            let found = try row(
                """
                SELECT CASE WHEN user_id = $1 AND hash = $2 AND (by_qr_code = 0 OR $4 = 1) THEN 1 ELSE 0 END,
                    replaces, by_qr_code, block_after FROM codes
                WHERE user_id = COALESCE((SELECT user_id FROM codes
                    WHERE user_id = $1 AND expires_at > $3), '')
                """,
                [.text(userID), .octets(hash), .integer(now), .flag(description.kind == .bound)])
            guard var found, try found.flag() else { return nil }
            return Grant(
                code: hash, replaces: try found.flag(), isByQRCode: try found.flag(),
                blockAfter: try found.optionalInteger())
        }
        guard let grant else { return nil }
        try run(
            "DELETE FROM registrations WHERE user_id = $1 AND code = $2", [.text(userID), .octets(hash)])
        return grant
    }

    /// Uses up the login that may change a PIN; nil if it does not authorise this registration.
    fileprivate func grantByLogin(
        _ description: IdentityDescription, authOTTHash: TicketHash, account: [UInt8]
    ) throws(StorageError) -> Grant? {
        guard case .host(let enrolment) = description.kind,
            let verdict = try takePINChange(authOTTHash, host: enrolment.host, account: account),
            let identity = try identity(id: verdict.id), !identity.isOut,
            areSame(identity.description.userID, description.userID)
        else { return nil }
        return Grant(supersedes: identity.description.id, blockAfter: identity.blockAfter)
    }

    fileprivate func insert(
        _ request: RegistrationRequest, _ grant: Grant, for life: UnixMilliseconds
    ) throws(StorageError) {
        try run(
            """
            INSERT INTO registrations (\(describing), reg_ott, active, code, replaces, supersedes, created_at,
                expires_at, activate_key, origin, by_qr_code, block_after, counts_together, network32,
                network40, network, source)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
                $20, $21, $22, $23, $24, $25, $26, $27)
            """,
            request.description.columns + [
                .octets(request.regOTTHash), .flag(grant.active), .octets(grant.code),
                .flag(grant.replaces), .octets(grant.supersedes), .integer(now),
                .integer(now + life),
                .octets(grant.activateKey),
                .text(request.origin?.text), .flag(grant.isByQRCode),
                .integer([grant.blockAfter, request.blockAfter].compactMap(\.self).min()),
                .flag(request.blockAfter != nil && request.description.kind == .unbound),
            ] + request.requester.networks.map { .text($0) })
    }
}
