// SPDX-License-Identifier: Apache-2.0
// The records of pass 1, and the count of a try before pass 2 is verified.
import MPinDatabase
import Octets

private let passOneColumns = """
    source, u, ut, y, binding, bound_to, host, host_epoch, origin, learns, trusted
    """

extension PassOneKey {
    /// The key as a column; a letter keeps the two kinds apart.
    fileprivate var slot: [UInt8] {
        switch self {
        case .n(let n): [UInt8(ascii: "n")] + n.octets
        case .source(let source): [UInt8(ascii: "s")] + Array(source.utf8)
        }
    }
}

extension Binding {
    fileprivate var columns: [Value] {
        switch self {
        case .nothing: [.integer(0), .octets([])]
        case .question(let a): [.integer(1), .octets(a)]
        case .changePIN(let a, let account): [.integer(3), PINChangeColumn(a, account: account).value]
        case .seen(let hash, let session): [.integer(2), .octets(hash.octets + Array(session.utf8))]
        }
    }

    fileprivate init(_ row: inout Row) throws(StorageError) {
        switch (try row.integer(), try row.octets()) {
        case (0, _): self = .nothing
        case (1, let a): self = .question(try questionHash(a))
        case (2, let both):
            guard let session = String(validating: both.dropFirst(32), as: UTF8.self),
                let purpose = PurposeHash(Array(both.prefix(32)))
            else { throw .corrupt }
            self = .seen(purpose, session: session)
        case (3, let both):
            let change = try PINChangeColumn(both)
            self = .changePIN(change.a, account: change.account)
        default: throw .corrupt
        }
    }
}

extension ServerDatabase {
    /// Keeps a pass 1 for 15 seconds.
    func keepPassOne(_ record: PassOneRecord, key: PassOneKey) async throws(StorageError) {
        try await transaction(.brief) { t throws(StorageError) in try t.keep(record, key: key) }
    }

    /// The same for a pass 1 with a sealed question: takes the question's nonce (as `takeNonce` does), reads
    /// the identity `id`, and keeps the record that `record` makes with it (nil for an unknown id). Returns
    /// false if the nonce was taken before; then nothing is kept. The closure may run more than once.
    /// Durable, because of the nonce.
    func keepPassOne(
        nonce: QuestionNonce, id: IdentityHash, key: PassOneKey,
        record: @escaping @Sendable (IdentityRecord?) -> PassOneRecord
    ) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in
            guard try t.take(nonce) else { return false }
            try t.keep(record(try t.identity(id: id)), key: key)
            return true
        }
    }

    /// Takes the pass-1 record of this id and counts the try durably; the proof is verified afterwards,
    /// outside any transaction. Without a record it returns nil and counts nothing. `TryCounting` says what a
    /// try counts against. Locks and blocks are set before the proof is verified; a good verdict lifts them.
    ///
    /// - Parameter deviceEpoch: returns the epoch of the device key whose tag came with this pass 2, or nil
    ///   if there was no right tag. A bound identity has that epoch from then on. The closure may run more
    ///   than once.
    func beginVerification(
        id: IdentityHash, key: PassOneKey, deviceEpoch: @escaping DeviceTagCheck = { _, _ in nil }
    ) async throws(StorageError) -> Verification? {
        try await transaction(.durable) { t throws(StorageError) in
            try t.serialize(on: .owner(of: id))
            let taken = try t.row(
                """
                DELETE FROM pass_ones WHERE id = $1 AND slot = $2 AND expires_at > $3
                RETURNING \(passOneColumns)
                """, [.octets(id), .octets(key.slot), .integer(t.now)])
            guard var taken else { return nil }
            let passOne = PassOneRecord(
                id: id, source: try taken.text(), u: try taken.octets(), ut: try taken.octets(),
                y: try taken.fixed(), binding: try Binding(&taken), host: try taken.optionalText(),
                hostEpoch: try taken.optionalEpoch(),
                origin: try TryOrigin(&taken), isTrusted: try taken.flag())
            let identity = try t.identity(id: id)
            let counting = try t.counting(passOne, key: key, identity: identity, deviceEpoch: deviceEpoch)
            let counted = try t.count(passOne, of: identity, counting: counting, lives.locks)
            return Verification(
                passOne: passOne, identity: identity, counting: counting,
                lockedSeconds: counted.isRefused ? counted.standing.lockedSeconds : nil,
                triesLeft: counted.standing.left, tryNumber: counted.number)
        }
    }
}

extension Transaction {
    fileprivate func keep(_ record: PassOneRecord, key: PassOneKey) throws(StorageError) {
        try checkClock()
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
                .text(record.host), .integer(record.hostEpoch),
            ] + record.origin.columns + [
                .flag(record.isTrusted), .integer(now + Limits.passOneLife),
            ])
        try removeExcess(
            of: record.source, in: "pass_ones", "id, slot", order: "trusted DESC, expires_at DESC",
            beyond: Limits.passOnesPerSource)
    }

    fileprivate func counting(
        _ passOne: PassOneRecord, key: PassOneKey, identity: IdentityRecord?, deviceEpoch: DeviceTagCheck
    ) throws(StorageError) -> TryCounting {
        guard let identity else { return unknownCounting(passOne.binding, key) }
        switch identity.description.kind {
        case .host: return .bySource
        case .unbound: return identity.countsTogether ? .untilBlock : .bySource
        case .bound:
            guard let epoch = deviceEpoch(passOne, identity) else { return .none }
            try run(
                "UPDATE identities SET device_epoch = $2 WHERE id = $1",
                [.octets(passOne.id), .integer(epoch)])
            return .byDevice
        }
    }

    /// An unknown id is treated like an id that a client of its kind would name, so that the answers do not
    /// reveal which ids exist.
    private func unknownCounting(_ binding: Binding, _ key: PassOneKey) -> TryCounting {
        switch (binding, key) {
        case (.question, _), (.changePIN, _), (_, .source): .bySource
        case (.nothing, .n), (.seen, .n): .none
        }
    }
}
