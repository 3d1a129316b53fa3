// SPDX-License-Identifier: Apache-2.0
// Pending registrations: renewal, confirmation, and the issue of the client secret.
import MPinDatabase
import Octets

// Not `activate_key IS NULL`: SQLite 3.40.1 was seen to return a wrong value for it in RETURNING.
private let registrationColumns = "\(describing), active, source, created_at, expires_at, activate_key"

extension RegistrationRecord {
    fileprivate init(_ row: inout Row) throws(StorageError) {
        self.init(
            description: try IdentityDescription(&row), active: try row.flag(), source: try row.text(),
            createdAt: try row.integer(), expiresAt: try row.integer(),
            awaitsExternalRPA: try row.optionalOctets() != nil)
    }
}

extension ServerDatabase {
    /// The pending registration of an id, if the regOTT belongs to it; otherwise nil.
    func registration(
        id: IdentityHash, regOTTHash: RegistrationTicketHash
    ) async throws(StorageError) -> RegistrationRecord? {
        try await transaction(.read) { t throws(StorageError) in
            let found = try t.row(
                """
                SELECT \(registrationColumns) FROM registrations
                WHERE id = $1 AND reg_ott = $2 AND expires_at > $3
                """, [.octets(id), .octets(regOTTHash), .integer(t.now)])
            guard var found else { return nil }
            return try RegistrationRecord(&found)
        }
    }

    /// Gives a pending registration its full hour again (PUT user with mpinId and regOTT), but no more than a
    /// day from its creation.
    func renewRegistration(
        id: IdentityHash, regOTTHash: RegistrationTicketHash
    ) async throws(StorageError) -> RegistrationRecord? {
        try await transaction(.durable) { t throws(StorageError) in
            let found = try t.row(
                """
                UPDATE registrations SET expires_at =
                    CASE WHEN created_at + $5 < $4 THEN created_at + $5 ELSE $4 END
                WHERE id = $1 AND reg_ott = $2 AND expires_at > $3
                RETURNING \(registrationColumns)
                """,
                [
                    .octets(id), .octets(regOTTHash), .integer(t.now), .integer(t.now + lives.registration),
                    .integer(Limits.renewedRegistrationLife),
                ])
            guard var found else { return nil }
            return try RegistrationRecord(&found)
        }
    }

    /// Whether an external RPA may be asked again about this registration; counts it. False if it was asked
    /// again less than a minute ago, or five times already.
    /// One statement counts and compares, so that of many requests at once one is let through.
    func takeResend(
        id: IdentityHash, regOTTHash: RegistrationTicketHash
    ) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            try t.row(
                """
                UPDATE registrations SET resends = resends + 1, resent_at = $3
                WHERE id = $1 AND reg_ott = $2 AND expires_at > $3 AND activate_key IS NOT NULL
                    AND resends < $4 AND resent_at <= $5
                RETURNING id
                """,
                [
                    .octets(id), .octets(regOTTHash), .integer(t.now),
                    .integer(Limits.resendsPerRegistration),
                    .integer(t.now - Limits.resendPause),
                ]) != nil
        }
    }

    /// Drops a registration whose client secret was not sent because the answer was lost inside the server.
    func dropRegistration(id: IdentityHash, regOTTHash: RegistrationTicketHash)
        async throws(StorageError)
    {
        try await transaction(.durable) { t throws(StorageError) in
            try t.run(
                "DELETE FROM registrations WHERE id = $1 AND reg_ott = $2",
                [.octets(id), .octets(regOTTHash)])
        }
    }

    /// Drops a registration that has not been confirmed.
    func forgetRegistration(id: IdentityHash) async throws(StorageError) {
        try await transaction(.durable) { t throws(StorageError) in
            try t.run("DELETE FROM registrations WHERE id = $1 AND active = 0", [.octets(id)])
        }
    }

    /// The registrations that wait for a confirmation, oldest first.
    func waitingRegistrations() async throws(StorageError) -> [RegistrationRecord] {
        try await transaction(.read) { t throws(StorageError) in
            var waiting: [RegistrationRecord] = []
            let found = try t.rows(
                """
                SELECT \(registrationColumns) FROM registrations WHERE active = 0 AND expires_at > $1
                ORDER BY created_at, id
                """, [.integer(t.now)])
            for var row in found { waiting.append(try RegistrationRecord(&row)) }
            return waiting
        }
    }

    /// Confirms the waiting registration, or the identity enrolled by a QR code, that belongs to `userID` and
    /// whose id begins with `prefix`. A userID alone would also confirm a registration that a stranger made
    /// under it. A confirmation records the event.
    func confirm(
        _ userID: String, idPrefix prefix: [UInt8], recording event: AuditEvent
    ) async throws(StorageError) -> Confirmation {
        try await act(recording: event, if: { if case .confirmed = $0 { true } else { false } }) {
            t throws(StorageError) in
            try t.serialize(on: .user(userID))
            let waiting = try t.ids(
                """
                SELECT id FROM registrations WHERE user_id = $1 AND active = 0 AND expires_at > $2
                ORDER BY created_at, id
                """, [.text(userID), .integer(t.now)])
            let unconfirmed = try t.ids(
                """
                SELECT id FROM identities WHERE user_id = $1 AND unconfirmed = 1 AND revoked_at IS NULL
                ORDER BY issued_at, id
                """, [.text(userID)])
            let meant = (waiting + unconfirmed).filter { $0.octets.starts(with: prefix) }
            guard let chosen = meant.first else { return .nobody }
            guard meant.count == 1 else { return .several(ids: meant) }
            if try t.confirmIdentity(chosen) { return .confirmed(id: chosen) }
            // Meanwhile it may have given way to another one.
            let confirmed = try t.row(
                "UPDATE registrations SET active = 1, expires_at = $2 WHERE id = $1 RETURNING 1",
                [.octets(chosen), .integer(t.now + lives.registration)])
            guard confirmed != nil else { return .nobody }
            try t.admit(userID)
            return .confirmed(id: chosen)
        }
    }

    /// Makes the identity of an active pending registration live, revokes what the code replaces, and records
    /// the event. Returns nil if there is no such registration or the regOTT is wrong. Call it when the
    /// answer with the share is ready, before it is sent. A bound identity gets the device key of
    /// `deviceEpoch`. The activation code of an unbound identity is spent now, that of any other by its first
    /// login. Until then, for an hour, the code permits another registration, which revokes this identity: a
    /// lost answer does not cost the user the code.
    ///
    /// - Parameters:
    ///   - pushToken: the address at which the client says that it receives messages; may be empty.
    ///   - event: makes the audit event.
    func issue(
        id: IdentityHash, regOTTHash: RegistrationTicketHash, deviceEpoch: UInt32, pushToken: String,
        recording event: @escaping @Sendable (Issue) -> AuditEvent
    ) async throws(StorageError) -> Issue? {
        try await transaction(.durable) { t throws(StorageError) in
            try t.serialize(on: .owner(of: id))
            let issue = try t.issue(
                id: id, regOTTHash: regOTTHash, deviceEpoch: deviceEpoch, pushToken: pushToken)
            guard let issue else { return nil }
            try t.append(event(issue))
            return issue
        }
    }
}

extension Transaction {
    fileprivate func issue(
        id: IdentityHash, regOTTHash: RegistrationTicketHash, deviceEpoch: UInt32, pushToken: String
    ) throws(StorageError) -> Issue? {
        let found = try row(
            """
            DELETE FROM registrations WHERE id = $1 AND reg_ott = $2 AND active = 1 AND expires_at > $3
            AND (by_qr_code = 0 OR created_at > $4)
            RETURNING \(describing), code, replaces, by_qr_code, supersedes, block_after, counts_together,
                origin
            """,
            [
                .octets(id), .octets(regOTTHash), .integer(now),
                .integer(now - Limits.qrCodeRegistrationLife),
            ])
        guard var found else { return nil }
        let description = try IdentityDescription(&found)
        let grant = Grant(
            code: try found.optionalFixed(), replaces: try found.flag(), isByQRCode: try found.flag(),
            supersedes: try found.optionalFixed(), blockAfter: try found.optionalInteger(),
            countsTogether: try found.flag())
        try insertIdentity(description, by: grant, deviceEpoch: deviceEpoch, pushToken: pushToken)
        // After a change of PIN, the sources where the old one was known stay known.
        if let older = grant.supersedes { try learn(id, knownTo: older) }
        if let origin = try found.optionalText() { try learn(id, origin) }
        var revoked: [IdentityHash] = []
        if let code = grant.code { revoked = try use(code, for: description) }
        if grant.replaces {
            revoked += try revokeIdentities(of: description.userID) { $0.description.id != id }
        }
        guard let identity = try identity(id: id) else { throw .corrupt }
        return Issue(identity: identity, revoked: revoked)
    }

    /// Revokes the identities that were enrolled with the same code before, and gives their ids. A Milagro
    /// client logs in when its user next does, so its code is spent now. Our clients log in at once, which
    /// spends the code. Until then, but not for long nor often, a client that lost the answer with the secret
    /// may register again with it.
    private func use(
        _ code: OneTimeCodeHash, for description: IdentityDescription
    ) throws(StorageError) -> [IdentityHash] {
        let ended = try revokeIdentities(of: description.userID, enrolledBy: code, before: description.id)
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
