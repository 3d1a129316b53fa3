// SPDX-License-Identifier: Apache-2.0
// The storage operations for suspensions and locks.

/// Suspensions and locks, as administrators begin and end them. Each records its event if it was done, in the
/// same transaction.
package protocol SuspensionStorage: Sendable {
    /// Refuses every login of a user until the time `until`, or until `resume` if that is nil; this includes
    /// identities enrolled meanwhile. Approvals, passwords and codes that have not been used yet become void.
    /// If a suspension is in force, its end and reason are changed.
    func suspend(
        _ userID: String, until: UnixMilliseconds?, reason: String, recording event: AuditEvent
    ) async throws(StorageError) -> SuspensionOutcome

    /// Ends a suspension at once. Returns whether there was one; nil if there is no such user.
    func resume(_ userID: String, recording event: AuditEvent) async throws(StorageError) -> Bool?

    /// Ends every lock and forgets the tries counted against the subject and the logins that it reported.
    /// Changes nothing for a revoked subject. The event is recorded if something ended or was forgotten.
    func unlock(_ subject: Subject, recording event: AuditEvent) async throws(StorageError) -> Unlocking
}
