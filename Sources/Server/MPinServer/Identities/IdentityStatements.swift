// SPDX-License-Identifier: Apache-2.0
// The columns of identities, and their reading, writing, confirming and revoking.
import MPinDatabase
import Octets

/// The columns that a registration and an identity share, in the order in which they are written and read.
let describing =
    "id, mpin_id, user_id, kind, host, host_epoch, a, suite, epoch, device_name, user_data"

/// What a registration takes over from its authorisation.
struct Grant {
    var active = true
    /// The activation code, which the first login spends.
    var code: OneTimeCodeHash?
    var replaces = false
    var isByQRCode = false
    /// The identity that the new one replaces.
    var supersedes: IdentityHash?
    /// The key with which an external RPA makes it active.
    var activateKey: ActivateKeyHash?
    /// How many wrong PINs in a row block the identity.
    var blockAfter: Int64?
    /// Whether wrong PINs of all sources are counted together.
    var countsTogether = false
}

extension IdentityDescription {
    var columns: [Value] {
        let (number, enrolment): (Int64, HostEnrolment?) =
            switch kind {
            case .host(let enrolment): (0, enrolment)
            case .bound: (1, nil)
            case .unbound: (2, nil)
            }
        return [
            .octets(id), .octets(mpinID), .text(userID), .integer(number), .text(enrolment?.host),
            .integer(enrolment?.epoch), .octets(enrolment?.a), .text(suite), .integer(Int64(epoch)),
            .text(deviceName), .text(userData),
        ]
    }

    init(_ row: inout Row) throws(StorageError) {
        let id: IdentityHash = try row.fixed()
        let mpinID = try row.octets()
        let userID = try row.text()
        let number = try row.integer()
        let host = try row.optionalText()
        let hostEpoch = try row.optionalEpoch()
        let a: QuestionHash? = try row.optionalFixed()
        let kind: IdentityKind
        switch (number, host, hostEpoch, a) {
        case (0, let host?, let epoch?, let a?):
            kind = .host(HostEnrolment(host: host, epoch: epoch, a: a))
        case (1, nil, nil, nil): kind = .bound
        case (2, nil, nil, nil): kind = .unbound
        default: throw .corrupt
        }
        self.init(
            id: id, mpinID: mpinID, userID: userID, kind: kind, suite: try row.text(),
            epoch: try row.number(UInt32.self), deviceName: try row.text(), userData: try row.text())
    }
}

private let identityColumns = """
    \(describing), issued_at, revoked_at, last_login_at, blocked_at, device_epoch, unconfirmed, push_token,
    block_after, counts_together, last_login_from, wrong_count, wrong_at, wrong_source,
    (SELECT suspended_until FROM users WHERE users.user_id = identities.user_id)
    """

extension IdentityRecord {
    fileprivate init(_ row: inout Row, readAt now: UnixMilliseconds) throws(StorageError) {
        self.init(
            description: try IdentityDescription(&row), issuedAt: try row.integer(),
            revokedAt: try row.optionalInteger(), lastLoginAt: try row.optionalInteger(),
            blockedAt: try row.optionalInteger(), deviceEpoch: try row.optionalEpoch(),
            isUnconfirmed: try row.flag(), pushToken: try row.text(),
            blockAfter: try row.optionalInteger(), countsTogether: try row.flag(),
            lastLoginFrom: try row.optionalText(), wrongTries: try IdentityRecord.wrongTries(&row),
            isSuspended: try (row.optionalInteger() ?? 0) > now)
    }

    private static func wrongTries(_ row: inout Row) throws(StorageError) -> WrongTries? {
        let wrong = WrongTries(
            count: try row.integer(), lastAt: try row.integer(), lastSource: try row.text())
        return wrong.count > 0 ? wrong : nil
    }
}

extension ServerDatabase {
    /// The identity with this id, live or revoked; nil if there is none.
    func identity(id: IdentityHash) async throws(StorageError) -> IdentityRecord? {
        try await transaction(.read) { t throws(StorageError) in try t.identity(id: id) }
    }

    /// Confirms an identity that was enrolled by a QR code and is not revoked, and records the event. Returns
    /// false if there is no such unconfirmed identity.
    func confirm(
        id: IdentityHash, recording event: AuditEvent
    ) async throws(StorageError) -> Bool {
        try await act(recording: event, if: { $0 }) { t throws(StorageError) in
            try t.serialize(on: .owner(of: id))
            return try t.confirmIdentity(id)
        }
    }

    /// The state of the account of these ids; unknown ids are ignored. It is revoked if every known id is
    /// revoked, itself or with its user. It is suspended if some ids are suspended and all others are
    /// revoked. Without known ids it is neither.
    func standing(of ids: [IdentityHash]) async throws(StorageError) -> AccountStanding {
        try await transaction(.read) { t throws(StorageError) in
            var (live, revoked, suspended) = (0, 0, 0)
            for id in ids {
                let found = try t.row(
                    """
                    SELECT CASE WHEN i.revoked_at IS NULL AND u.revoked_at IS NULL THEN 0 ELSE 1 END,
                        CASE WHEN u.suspended_until > $2 THEN 1 ELSE 0 END
                    FROM identities i JOIN users u ON u.user_id = i.user_id WHERE i.id = $1
                    """, [.octets(id), .integer(t.now)])
                guard var found else { continue }
                switch (try found.flag(), try found.flag()) {
                case (true, _): revoked += 1
                case (false, true): suspended += 1
                case (false, false): live += 1
                }
            }
            // Ids that the database does not know, for instance after it was rebuilt, are ignored.
            return AccountStanding(
                isRevoked: revoked > 0 && suspended == 0 && live == 0,
                isSuspended: suspended > 0 && live == 0)
        }
    }
}

extension Transaction {
    /// Adds the user if they are new, and lifts their revocation.
    func admit(_ userID: String) throws(StorageError) {
        try run(
            """
            INSERT INTO users (user_id, added_at) VALUES ($1, $2)
            ON CONFLICT (user_id) DO UPDATE SET revoked_at = NULL
            """, [.text(userID), .integer(now)])
    }

    func identity(id: IdentityHash) throws(StorageError) -> IdentityRecord? {
        guard var row = try row("SELECT \(identityColumns) FROM identities WHERE id = $1", [.octets(id)])
        else {
            return nil
        }
        return try IdentityRecord(&row, readAt: now)
    }

    /// Whether an identity may approve something now. What a suspension or a revocation has ended must not
    /// come back, so these wait until the end of this transaction.
    func mayApprove(_ id: IdentityHash) throws(StorageError) -> Bool {
        try serialize(on: .owner(of: id))
        return try identity(id: id)?.isOut == false
    }

    func identities(of userID: String) throws(StorageError) -> [IdentityRecord] {
        var identities: [IdentityRecord] = []
        let found = try rows(
            "SELECT \(identityColumns) FROM identities WHERE user_id = $1 ORDER BY issued_at, id",
            [.text(userID)])
        for var row in found { identities.append(try IdentityRecord(&row, readAt: now)) }
        return identities
    }

    /// Inserts a live identity for the registration that `grant` authorised; `deviceEpoch` is used for a
    /// bound one.
    func insertIdentity(
        _ description: IdentityDescription, by grant: Grant, deviceEpoch: UInt32, pushToken: String
    ) throws(StorageError) {
        try run(
            """
            INSERT INTO identities (\(describing), supersedes, code, issued_at, device_epoch, unconfirmed,
                push_token, block_after, counts_together, wrong_count, wrong_at, wrong_source)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, 0,
                0, '')
            """,
            description.columns + [
                .octets(grant.supersedes), .octets(grant.code), .integer(now),
                .integer(description.kind == .bound ? deviceEpoch : nil), .flag(grant.isByQRCode),
                .text(pushToken), .integer(grant.blockAfter), .flag(grant.countsTogether),
            ])
    }

    /// Confirms an identity that was enrolled by a QR code, and spends its code, so that no other device can
    /// enrol with it. False if it is not unconfirmed, or is revoked.
    func confirmIdentity(_ id: IdentityHash) throws(StorageError) -> Bool {
        let confirmed = try row(
            """
            UPDATE identities SET unconfirmed = 0 WHERE id = $1 AND unconfirmed = 1 AND revoked_at IS NULL
            RETURNING id
            """, [.octets(id)])
        guard confirmed != nil else { return false }
        try spendCode(of: id)
        return true
    }

    /// Spends the activation code that an identity was enrolled with, if it is not spent yet. Registrations
    /// that were begun with it since can no longer be issued.
    func spendCode(of id: IdentityHash) throws(StorageError) {
        try run(
            """
            DELETE FROM registrations
            WHERE (user_id, code) = (SELECT user_id, code FROM identities WHERE id = $1)
            """, [.octets(id)])
        try run(
            "DELETE FROM codes WHERE (user_id, hash) = (SELECT user_id, code FROM identities WHERE id = $1)",
            [.octets(id)])
        try run("UPDATE identities SET code = NULL WHERE id = $1", [.octets(id)])
    }

    /// Revokes the identities that were enrolled with an activation code before `id` and never logged in.
    func revokeIdentities(
        of userID: String, enrolledBy code: OneTimeCodeHash, before id: IdentityHash
    ) throws(StorageError) -> [IdentityHash] {
        // Their `code` is cleared first, so that `revokeIdentity` does not spend the code: `id` has it too.
        let ended = try ids(
            """
            UPDATE identities SET code = NULL WHERE user_id = $1 AND code = $2 AND id <> $3 RETURNING id
            """, [.text(userID), .octets(code), .octets(id)])
        var revoked: [IdentityHash] = []
        for id in ended where try revokeIdentity(id) { revoked.append(id) }
        return revoked
    }

    /// Revokes one identity, and removes its activation code, the registrations that it authorised, its
    /// one-time password and the wrong tries against it; true if it was live until now. Until the authority's
    /// book knows of it, the id stays in the outbox.
    func revokeIdentity(_ id: IdentityHash) throws(StorageError) -> Bool {
        try spendCode(of: id)
        try run("DELETE FROM otps WHERE id = $1", [.octets(id)])
        try run("DELETE FROM registrations WHERE supersedes = $1", [.octets(id)])
        try run("DELETE FROM heads WHERE id = $1", [.octets(id)])
        try run("DELETE FROM tries WHERE id = $1", [.octets(id)])
        try run("INSERT INTO outbox (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", [.octets(id)])
        return try row(
            "UPDATE identities SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id",
            [.octets(id), .integer(now)]) != nil
    }

    /// Revokes the selected identities of a user; gives those that were live until now.
    func revokeIdentities(
        of userID: String, where isMeant: (IdentityRecord) -> Bool = { _ in true }
    ) throws(StorageError) -> [IdentityHash] {
        var revoked: [IdentityHash] = []
        for identity in try identities(of: userID) where isMeant(identity) {
            if try revokeIdentity(identity.description.id) { revoked.append(identity.description.id) }
        }
        return revoked
    }
}
