// SPDX-License-Identifier: Apache-2.0
// Storage over SQL: which connection each operation takes, and nothing else.
package import MPinStorage

/// All writing goes through one connection in the order in which it was asked for, so that no writer waits
/// for another's lock; a second connection reads meanwhile. In memory both are one.
package struct SQLStorage: Storage {
    let writer: ConnectionQueue
    let reader: ConnectionQueue

    /// Opens the database, makes it if it is not there, and, unless it was closed in order, voids the records
    /// that live for seconds: who was in the middle of a login begins again.
    package init(
        sqlite location: SQLiteLocation, lives: Lives = Lives(),
        clock: (@Sendable () -> UnixMilliseconds)? = nil
    ) throws(StorageError) {
        let connection = try SQLiteConnection(location, clock: clock)
        try connection.prepare(as: .storage)
        try inTransaction(on: connection, access: .durable) { t throws(StorageError) in try t.open() }
        writer = try ConnectionQueue(connection, lives)
        switch location {
        case .memory: reader = writer
        case .file: reader = try ConnectionQueue(SQLiteConnection(location, clock: clock), lives)
        }
    }

    /// Closes the database when the operations under way have ended; later ones throw `closed`.
    package func close() async {
        await reader.close()
        await writer.close { t throws(StorageError) in try t.close() }
    }

    // MARK: Identities

    @discardableResult package func addIdentity(
        _ userID: String, code: ActivationCode
    ) async throws(StorageError) -> [[UInt8]] {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.addIdentity(userID, code: code)
        }
    }

    package func identity(_ userID: String) async throws(StorageError) -> IdentityRecord? {
        try await reader.transaction(.read) { t throws(StorageError) in try t.identity(userID) }
    }

    package func identities(
        after: String?, limit: Int
    ) async throws(StorageError) -> [IdentityRecord] {
        try await reader.transaction(.read) { t throws(StorageError) in
            try t.identities(after: after, limit: limit)
        }
    }

    package func waitingRegistrations() async throws(StorageError) -> [RegistrationRecord] {
        try await reader.transaction(.read) { t throws(StorageError) in try t.waitingRegistrations() }
    }

    package func confirm(
        _ userID: String, idPrefix prefix: [UInt8]
    ) async throws(StorageError) -> Confirmation {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.confirm(userID, idPrefix: prefix)
        }
    }

    package func confirm(
        id: [UInt8], recording event: AuditEvent
    ) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in
            guard try t.confirmMpin(id) else { return false }
            try t.append(event)
            return true
        }
    }

    package func revoke(_ subject: Subject) async throws(StorageError) -> Revocation? {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.revoke(subject) }
    }

    package func revokedIDs(after: [UInt8]?, limit: Int) async throws(StorageError) -> [[UInt8]] {
        try await reader.transaction(.read) { t throws(StorageError) in
            try t.revokedIDs(after: after, limit: limit)
        }
    }

    package func standing(of ids: [[UInt8]]) async throws(StorageError) -> AccountStanding {
        try await reader.transaction(.read) { t throws(StorageError) in try t.standing(of: ids) }
    }

    package func unlock(_ subject: Subject) async throws(StorageError) -> Unlocking {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.unlock(subject) }
    }

    // MARK: Registration

    package func register(
        _ request: RegistrationRequest, by authorization: Authorization
    ) async throws(StorageError) -> RegistrationOutcome {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.register(request, by: authorization)
        }
    }

    package func registration(
        id: [UInt8], regOTTHash: [UInt8]
    ) async throws(StorageError) -> RegistrationRecord? {
        try await reader.transaction(.read) { t throws(StorageError) in
            try t.registration(id: id, regOTTHash: regOTTHash)
        }
    }

    package func renewRegistration(
        id: [UInt8], regOTTHash: [UInt8]
    ) async throws(StorageError) -> RegistrationRecord? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.renewRegistration(id: id, regOTTHash: regOTTHash)
        }
    }

    package func issue(
        id: [UInt8], regOTTHash: [UInt8], deviceEpoch: UInt32, pushToken: String,
        recording event: @Sendable (Issue) -> AuditEvent
    ) async throws(StorageError) -> Issue? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            let issue = try t.issue(
                id: id, regOTTHash: regOTTHash, deviceEpoch: deviceEpoch, pushToken: pushToken)
            guard let issue else { return nil }
            try t.append(event(issue))
            return issue
        }
    }

    package func dropRegistration(id: [UInt8], regOTTHash: [UInt8]) async throws(StorageError) {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.run(
                "DELETE FROM registrations WHERE id = $1 AND reg_ott = $2",
                [.octets(id), .octets(regOTTHash)])
        }
    }

    // MARK: Login

    package func mpin(id: [UInt8]) async throws(StorageError) -> MpinRecord? {
        try await reader.transaction(.read) { t throws(StorageError) in try t.mpin(id: id) }
    }

    package func takeNonce(_ nonce: [UInt8]) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.takeNonce(nonce) }
    }

    package func keepPassOne(_ record: PassOneRecord, key: PassOneKey) async throws(StorageError) {
        try await writer.transaction(.brief) { t throws(StorageError) in
            try t.keepPassOne(record, key: key)
        }
    }

    package func beginVerification(
        id: [UInt8], key: PassOneKey, deviceEpoch: DeviceTagCheck
    ) async throws(StorageError) -> Verification? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.beginVerification(id: id, key: key, deviceEpoch: deviceEpoch)
        }
    }

    /// Not waited for: what a loss of power takes is the good news, the count stays.
    package func finishVerification(_ verdict: VerdictRecord) async throws(StorageError) {
        try await writer.transaction(.brief) { t throws(StorageError) in
            try t.finishVerification(verdict)
        }
    }

    package func redeem(
        authOTTHash: [UInt8], purpose: VerdictPurpose
    ) async throws(StorageError) -> Redemption? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.redeem(authOTTHash: authOTTHash, purpose: purpose)
        }
    }

    package func redeemForParty(authOTTHash: [UInt8]) async throws(StorageError) -> Redemption? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.redeemForParty(authOTTHash: authOTTHash)
        }
    }

    // MARK: Sessions

    /// Not waited for: a session that a loss of power takes is asked for again.
    package func openSession(_ opening: SessionOpening) async throws(StorageError) -> SessionOpened {
        try await writer.transaction(.brief) { t throws(StorageError) in try t.openSession(opening) }
    }

    package func session(_ name: SessionName) async throws(StorageError) -> SessionRecord? {
        try await reader.transaction(.read) { t throws(StorageError) in try t.session(name) }
    }

    package func lookUpSession(
        number: String, by seeker: Seeker, counting: CountedLookUps
    ) async throws(StorageError) -> Waiting? {
        try await writer.transaction(.brief) { t throws(StorageError) in
            try t.lookUpSession(number: number, by: seeker, counting: counting)
        }
    }

    package func redeemForSession(authOTTHash: [UInt8]) async throws(StorageError) -> Redemption? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.redeemForSession(authOTTHash: authOTTHash)
        }
    }

    package func approve(_ approval: Approval) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.approve(approval) }
    }

    package func endSession(
        _ name: SessionName, a: [UInt8], by id: [UInt8]?
    ) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.endSession(name, a: a, by: id)
        }
    }

    package func reportSession(
        _ name: SessionName, a: [UInt8], by id: [UInt8], recording events: [AuditEvent]
    ) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in
            guard try t.reportSession(name, a: a, by: id) else { return false }
            for event in events { try t.append(event) }
            return true
        }
    }

    package func hasReported(_ source: String, id: [UInt8]) async throws(StorageError) -> Bool {
        try await reader.transaction(.read) { t throws(StorageError) in try t.hasReported(source, id: id) }
    }

    package func grantedSession(a: [UInt8]) async throws(StorageError) -> SessionRecord? {
        try await reader.transaction(.read) { t throws(StorageError) in try t.grantedSession(a: a) }
    }

    package func settleSession(a: [UInt8]) async throws(StorageError) -> Settlement? {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.settleSession(a: a) }
    }

    package func logOut(tokenHash: [UInt8], userID: String) async throws(StorageError) -> SessionRecord? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.logOut(tokenHash: tokenHash, userID: userID)
        }
    }

    // MARK: Hosts

    package func addHost(
        _ name: String, join: JoinCodeRecord, key: @escaping HostKeySealing
    ) async throws(StorageError) -> UInt32? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.addHost(name, join: join, key: key)
        }
    }

    package func rotateHost(
        _ name: String, join: JoinCodeRecord, hasLeaked: Bool, key: @escaping HostKeySealing
    ) async throws(StorageError) -> UInt32? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.rotateHost(name, join: join, hasLeaked: hasLeaked, key: key)
        }
    }

    package func removeHost(_ name: String) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.removeHost(name) }
    }

    package func takeJoin(
        host name: String, joinID: [UInt8], tried: CodeTry
    ) async throws(StorageError) -> Join? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.takeJoin(host: name, joinID: joinID, tried)
        }
    }

    package func host(_ name: String) async throws(StorageError) -> HostRecord? {
        try await reader.transaction(.read) { t throws(StorageError) in try t.host(name) }
    }

    package func hosts(after: String?, limit: Int) async throws(StorageError) -> [HostRecord] {
        try await reader.transaction(.read) { t throws(StorageError) in
            try t.hosts(after: after, limit: limit)
        }
    }
}
