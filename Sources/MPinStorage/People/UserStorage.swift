// SPDX-License-Identifier: Apache-2.0
// The storage operations for users and for their identities.
package import Octets

/// Users and identities, as administrators and logins use them.
package protocol UserStorage: Sendable {
    /// Adds the user if they are new, lifts their revocation (their old identities stay revoked), and gives
    /// them this code. The code replaces an earlier one and drops the registrations that were begun with
    /// that. Records the event.
    /// - Returns: the identities that were enrolled by an earlier QR code and never confirmed. A new QR code
    ///   revokes them, because a stranger may have scanned the earlier one.
    @discardableResult
    func addUser(
        _ userID: String, code: ActivationCode, recording event: AuditEvent
    ) async throws(StorageError) -> [IdentityHash]

    /// Ends this code of the user with the registrations that were begun with it, and records the event. An
    /// identity that was enrolled with it stays. Returns false if the user has another code or none.
    func endCode(
        _ hash: OneTimeCodeHash, of userID: String, recording event: AuditEvent
    ) async throws(StorageError) -> Bool

    /// Users in the order of their userIDs: those after `after`, at most `limit`, and never more than
    /// 1000.
    func users(after: String?, limit: Int) async throws(StorageError) -> [UserRecord]

    /// The user with this userID; nil if there is none.
    func user(_ userID: String) async throws(StorageError) -> UserRecord?

    /// The identity with this id, live or revoked; nil if there is none.
    func identity(id: IdentityHash) async throws(StorageError) -> IdentityRecord?

    /// Confirms an identity that was enrolled by a QR code and is not revoked, and records the event. Returns
    /// false if there is no such unconfirmed identity.
    func confirm(id: IdentityHash, recording event: AuditEvent) async throws(StorageError) -> Bool

    /// Revokes the subject permanently, and records the event; a user also loses the code and
    /// pending registrations. Nil if there is no such subject; then nothing is recorded.
    func revoke(_ subject: Subject, recording event: AuditEvent) async throws(StorageError) -> Revocation?

    /// Revokes a user as `revoke` does and removes them, in one transaction: nothing of them is listed any
    /// more, and a user who is added under the name has no history. Their ids stay revoked. Nil if there is
    /// no such user; then nothing is recorded.
    func remove(_ userID: String, recording event: AuditEvent) async throws(StorageError) -> Revocation?

    /// Revoked ids of which the authority's book may not know yet, in any order: at most `limit`, and never
    /// more than 1000. Every revocation puts its ids here in its own transaction, also those that were
    /// revoked before.
    func untoldRevocations(limit: Int) async throws(StorageError) -> [IdentityHash]

    /// Notes that the authority's book has these revocations.
    func noteTold(_ ids: [IdentityHash]) async throws(StorageError)

    /// The state of the account of these ids; unknown ids are ignored. It is revoked if every known id is
    /// revoked, itself or with its user. It is suspended if some ids are suspended and all others are
    /// revoked. Without known ids it is neither.
    func standing(of ids: [IdentityHash]) async throws(StorageError) -> AccountStanding
}
