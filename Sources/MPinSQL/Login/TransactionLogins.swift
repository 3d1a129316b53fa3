// SPDX-License-Identifier: Apache-2.0
// Pass 1, the count, the verdict and its redemption.
import MPinStorage

private let passOneColumns = """
    source, u, ut, y, binding, bound_to, host, host_epoch, origin, learns, trusted
    """
private let verdictColumns = """
    id, source, result, host, host_epoch, purpose, purpose_of, otp, client_id, origin, learns, counting
    """

extension PassOneKey {
    /// A letter keeps the two kinds apart.
    fileprivate var slot: [UInt8] {
        switch self {
        case .n(let n): [UInt8(ascii: "n")] + n
        case .source(let source): [UInt8(ascii: "s")] + Array(source.utf8)
        }
    }
}

extension Binding {
    fileprivate var columns: [Value] {
        switch self {
        case .nothing: [.integer(0), .octets([])]
        case .ask(let a): [.integer(1), .octets(a)]
        case .changePIN(let a, let account): [.integer(3), .octets(a + account)]
        case .seen(let hash, let session): [.integer(2), .octets(hash + Array(session.utf8))]
        }
    }

    fileprivate init(_ row: inout Row) throws(StorageError) {
        switch (try row.integer(), try row.octets()) {
        case (0, _): self = .nothing
        case (1, let a): self = .ask(a)
        case (2, let both):
            guard let session = String(validating: both.dropFirst(32), as: UTF8.self) else { throw .corrupt }
            self = .seen(Array(both.prefix(32)), session: session)
        case (3, let both): self = .changePIN(Array(both.prefix(32)), account: Array(both.dropFirst(32)))
        default: throw .corrupt
        }
    }
}

extension VerdictPurpose {
    fileprivate var columns: [Value] {
        switch self {
        case .login: [.integer(0), .octets([])]
        case .ask(let a): [.integer(1), .octets(a)]
        case .changePIN(let a, let account): [.integer(3), .octets(a + account)]
        case .session(let wid): [.integer(2), .octets(Array(wid.utf8))]
        case .application(let wid): [.integer(4), .octets(Array(wid.utf8))]
        }
    }

    fileprivate init(_ row: inout Row) throws(StorageError) {
        switch (try row.integer(), try row.octets()) {
        case (0, _): self = .login
        case (1, let a): self = .ask(a)
        case (2, let text): self = .session(try wid(text))
        case (3, let both): self = .changePIN(Array(both.prefix(32)), account: Array(both.dropFirst(32)))
        case (4, let text): self = .application(try wid(text))
        default: throw .corrupt
        }
    }
}

private func wid(_ octets: [UInt8]) throws(StorageError) -> String {
    guard let text = String(validating: octets, as: UTF8.self) else { throw .corrupt }
    return text
}

extension Transaction {
    func takeNonce(_ nonce: [UInt8]) throws(StorageError) -> Bool {
        try row(
            """
            INSERT INTO nonces (nonce, expires_at) VALUES ($1, $2) ON CONFLICT (nonce) DO NOTHING
            RETURNING expires_at
            """, [.octets(nonce), .integer(now + Limits.nonceLife)]) != nil
    }

    func keepPassOne(_ record: PassOneRecord, key: PassOneKey) throws(StorageError) {
        try run(
            """
            INSERT INTO pass_ones (id, slot, \(passOneColumns), expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            ON CONFLICT (id, slot) DO UPDATE SET source = excluded.source, u = excluded.u,
                ut = excluded.ut, y = excluded.y, binding = excluded.binding,
                bound_to = excluded.bound_to, host = excluded.host, host_epoch = excluded.host_epoch,
                origin = excluded.origin, learns = excluded.learns, trusted = excluded.trusted,
                expires_at = excluded.expires_at
            """,
            [
                .octets(record.id), .octets(key.slot), .text(record.source), .octets(record.u),
                .octets(record.ut), .octets(record.y),
            ] + record.binding.columns + [
                .text(record.host), .integer(record.hostEpoch), .text(record.origin.text),
                .flag(record.origin.learns), .flag(record.isTrusted), .integer(now + Limits.passOneLife),
            ])
        try run(
            """
            DELETE FROM pass_ones WHERE (id, slot) IN (SELECT id, slot FROM pass_ones WHERE source = $1
                ORDER BY trusted DESC, expires_at DESC LIMIT 100 OFFSET $2)
            """, [.text(record.source), .integer(Limits.passOnesPerSource)])
    }

    func beginVerification(
        id: [UInt8], key: PassOneKey, deviceEpoch: DeviceTagCheck
    ) throws(StorageError) -> Verification? {
        let taken = try row(
            """
            DELETE FROM pass_ones WHERE id = $1 AND slot = $2 AND expires_at > $3
            RETURNING \(passOneColumns)
            """, [.octets(id), .octets(key.slot), .integer(now)])
        guard var taken else { return nil }
        let passOne = PassOneRecord(
            id: id, source: try taken.text(), u: try taken.octets(), ut: try taken.octets(),
            y: try taken.octets(), binding: try Binding(&taken), host: try taken.optionalText(),
            hostEpoch: try taken.epoch(),
            origin: TryOrigin(try taken.text(), learns: try taken.flag()), isTrusted: try taken.flag())
        let mpin = try mpin(id: id)
        let counting = try counting(passOne, key: key, mpin: mpin, deviceEpoch: deviceEpoch)
        let counted = try count(passOne, of: mpin, counting: counting)
        return Verification(
            passOne: passOne, mpin: mpin, counting: counting,
            lockedSeconds: counted.isRefused ? counted.standing.lockedSeconds : nil,
            triesLeft: counted.standing.left, tryNumber: counted.number)
    }

    private func counting(
        _ passOne: PassOneRecord, key: PassOneKey, mpin: MpinRecord?, deviceEpoch: DeviceTagCheck
    ) throws(StorageError) -> TryCounting {
        guard let mpin else { return unknownCounting(passOne.binding, key) }
        switch mpin.description.kind {
        case .host: return .bySource
        case .unbound: return mpin.countsTogether ? .untilBlock : .bySource
        case .bound:
            guard let epoch = deviceEpoch(passOne, mpin) else { return .none }
            try run(
                "UPDATE mpins SET device_epoch = $2 WHERE id = $1",
                [.octets(passOne.id), .integer(epoch)])
            return .byDevice
        }
    }

    /// An id that nobody has is treated as one that a client of its kind would name, so the answers tell
    /// nobody who exists.
    private func unknownCounting(_ binding: Binding, _ key: PassOneKey) -> TryCounting {
        switch (binding, key) {
        case (.ask, _), (.changePIN, _), (_, .source): .bySource
        case (.nothing, .n), (.seen, .n): .none
        }
    }

    func finishVerification(_ verdict: VerdictRecord) throws(StorageError) {
        switch verdict.result {
        case .good: try noteLogin(verdict)
        case .wrong: try noteWrong(verdict)
        // Told whatever the PIN was, so a right one is no wrong one, and nobody learns which it was.
        case .revoked, .secretExpired: try forgive(verdict, since: now)
        case .locked, .suspended: break
        }
        try run(
            """
            INSERT INTO verdicts (auth_ott, \(verdictColumns), expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """,
            [
                .octets(verdict.authOTTHash), .octets(verdict.id), .text(verdict.source),
                .integer(Int64(verdict.result.rawValue)), .text(verdict.host), .integer(verdict.hostEpoch),
            ] + verdict.purpose.columns + [
                .octets(verdict.otp), .text(verdict.clientID), .text(verdict.origin.text),
                .flag(verdict.origin.learns), .integer(Int64(verdict.counting.rawValue)),
                .integer(now + Limits.verdictLife),
            ])
    }

    /// A bad login that was to change a PIN is told like any other; of a good one nothing comes out here.
    func redeem(authOTTHash: [UInt8], purpose: VerdictPurpose) throws(StorageError) -> Redemption? {
        try takeVerdict(
            authOTTHash,
            where: """
                (purpose = $3 AND purpose_of = $4
                OR purpose = 3 AND result <> 0 AND SUBSTR(purpose_of, 1, 32) = $4)
                """, purpose.columns
        ).map { taken throws(StorageError) in
            try redemption(taken, keepsOTP: purpose == .login)
        }
    }

    func redeemForParty(authOTTHash: [UInt8]) throws(StorageError) -> Redemption? {
        try takeVerdict(authOTTHash, where: "purpose = 0").map { taken throws(StorageError) in
            try redemption(taken)
        }
    }

    func redeemForSession(authOTTHash: [UInt8]) throws(StorageError) -> Redemption? {
        try takeVerdict(authOTTHash, where: "purpose = 2").map { taken throws(StorageError) in
            try redemption(taken)
        }
    }

    func redeemForApplication(authOTTHash: [UInt8]) throws(StorageError) -> Redemption? {
        try takeVerdict(authOTTHash, where: "purpose = 4").map { taken throws(StorageError) in
            try redemption(taken)
        }
    }

    private func redemption(
        _ verdict: VerdictRecord, keepsOTP: Bool = false
    ) throws(StorageError) -> Redemption {
        let mpin = try mpin(id: verdict.id)
        var revoked: [[UInt8]] = []
        var living: LivingOTP?
        var wrong: WrongTries?
        if verdict.result == .good, let mpin, mpin.revokedAt == nil, mpin.blockedAt == nil, !mpin.isSuspended
        {
            revoked = try supersede(by: verdict.id)
            if keepsOTP, !mpin.isUnconfirmed, let otp = verdict.otp {
                living = try keepOTP(otp, of: verdict.id)
            }
            if verdict.origin.learns { try learn(verdict.id, verdict.origin.text) }
            wrong = try takeWrongTries(of: verdict.id)
        }
        return Redemption(
            verdict: verdict, mpin: mpin, tries: try standing(of: verdict, mpin),
            wrongTries: wrong, revoked: revoked, otp: living)
    }

    /// The good login that may change the account's PIN at this host.
    func takePINChange(
        _ authOTTHash: [UInt8], host: String, account: [UInt8]
    ) throws(StorageError) -> VerdictRecord? {
        try takeVerdict(
            authOTTHash,
            where: "purpose = 3 AND result = 0 AND host = $3 AND SUBSTR(purpose_of, 33) = $4",
            [.text(host), .octets(account)])
    }

    /// Takes a verdict away: the one statement that uses an authOTT up.
    private func takeVerdict(
        _ authOTTHash: [UInt8], where purpose: String, _ values: [Value] = []
    ) throws(StorageError) -> VerdictRecord? {
        let taken = try row(
            """
            DELETE FROM verdicts WHERE auth_ott = $1 AND expires_at > $2 AND \(purpose)
            RETURNING \(verdictColumns)
            """, [.octets(authOTTHash), .integer(now)] + values)
        guard var taken else { return nil }
        let id = try taken.octets()
        let source = try taken.text()
        guard let result = ProofResult(rawValue: try taken.number(UInt8.self)) else { throw .corrupt }
        let host = try taken.optionalText()
        let hostEpoch = try taken.epoch()
        let purpose = try VerdictPurpose(&taken)
        let otp = try taken.optionalOctets()
        let clientID = try taken.optionalText()
        let origin = TryOrigin(try taken.text(), learns: try taken.flag())
        guard let counting = TryCounting(rawValue: try taken.number(UInt8.self)) else { throw .corrupt }
        return VerdictRecord(
            authOTTHash: authOTTHash, id: id, source: source, result: result, purpose: purpose, host: host,
            hostEpoch: hostEpoch, origin: origin, counting: counting, otp: otp, clientID: clientID)
    }

    /// The first login of an mpinId revokes the one whose place it takes, the one whose place that was to
    /// take, and so on; and whatever else was to take one of these places and never logged in.
    private func supersede(by id: [UInt8]) throws(StorageError) -> [[UInt8]] {
        var revoked: [[UInt8]] = []
        var newest = id
        while let older = try ids(
            "SELECT supersedes FROM mpins WHERE id = $1 AND supersedes IS NOT NULL", [.octets(newest)]
        ).first {
            try run("UPDATE mpins SET supersedes = NULL WHERE id = $1", [.octets(newest)])
            let rivals = try ids("SELECT id FROM mpins WHERE supersedes = $1", [.octets(older)])
            for id in [older] + rivals where try revokeMpin(id) { revoked.append(id) }
            newest = older
        }
        return revoked
    }
}
