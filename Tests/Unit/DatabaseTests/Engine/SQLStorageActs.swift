// SPDX-License-Identifier: Apache-2.0
// Administrators' acts for tests that look at what else an act does than its record.
@testable import MPinDatabase
@testable import MPinServer
import Octets

private let event = AuditEvent(kind: "act", subject: "")

extension ServerDatabase {
    /// The newest records of the audit trail without those of these acts.
    func recorded() async throws -> [AuditEvent] {
        try await auditRecords(AuditQuery(), limit: 1000).map(\.event).filter { $0 != event }
    }

    @discardableResult func addUser(_ userID: String, code: ActivationCode) async throws(StorageError)
        -> [IdentityHash]
    {
        try await addUser(userID, code: code, recording: event)
    }

    func revoke(_ subject: Subject) async throws(StorageError) -> Revocation? {
        try await revoke(subject, recording: event)
    }

    func remove(_ userID: String) async throws(StorageError) -> Revocation? {
        try await remove(userID, recording: event)
    }

    func suspend(
        _ userID: String, until: UnixMilliseconds?, reason: String
    ) async throws(StorageError) -> SuspensionOutcome {
        try await suspend(userID, until: until, reason: reason, recording: event)
    }

    func resume(_ userID: String) async throws(StorageError) -> Bool? {
        try await resume(userID, recording: event)
    }

    func unlock(_ subject: Subject) async throws(StorageError) -> Unlocking {
        try await unlock(subject, recording: event)
    }

    func confirm(_ userID: String, idPrefix: [UInt8]) async throws(StorageError) -> Confirmation {
        try await confirm(userID, idPrefix: idPrefix, recording: event)
    }

    func addHost(
        _ name: String, join: JoinCodeRecord, key: @escaping HostKeySealing
    ) async throws(StorageError) -> UInt32? {
        try await addHost(name, join: join, key: key, recording: event)
    }

    func rotateHost(
        _ name: String, join: JoinCodeRecord, hasLeaked: Bool, key: @escaping HostKeySealing
    ) async throws(StorageError) -> UInt32? {
        try await rotateHost(name, join: join, hasLeaked: hasLeaked, key: key, recording: event)
    }

    func removeHost(_ name: String) async throws(StorageError) -> Bool {
        try await removeHost(name, recording: event)
    }

    func addApplication(_ application: ApplicationRecord) async throws(StorageError) -> Bool {
        try await addApplication(application, recording: event)
    }

    func removeApplication(_ name: String) async throws(StorageError) -> Bool {
        try await removeApplication(name, recording: event)
    }
}
