// SPDX-License-Identifier: Apache-2.0
// The storage operations for identities and for the mpinIds that log in for them.
package import Octets

/// Identities and mpinIds, as administrators and logins use them.
package protocol IdentityStorage: Sendable {
    /// Adds the identity if it is new, lifts its revocation (its old mpinIds stay revoked), and gives it this
    /// code. The code replaces an earlier one and drops the registrations that were begun with that. Records
    /// the event.
    /// - Returns: the mpinIds that were enrolled by an earlier QR code and never confirmed. A new QR code
    ///   revokes them, because a stranger may have scanned the earlier one.
    @discardableResult
    func addIdentity(
        _ userID: String, code: ActivationCode, recording event: AuditEvent
    ) async throws(StorageError) -> [IdentityHash]

    /// Identities in the order of their userIDs: those after `after`, at most `limit`, and never more than
    /// 1000.
    func identities(after: String?, limit: Int) async throws(StorageError) -> [IdentityRecord]

    /// The identity with this userID; nil if there is none.
    func identity(_ userID: String) async throws(StorageError) -> IdentityRecord?

    /// The mpinId with this id, live or revoked; nil if there is none.
    func mpin(id: IdentityHash) async throws(StorageError) -> MpinRecord?

    /// Confirms an mpinId that was enrolled by a QR code and is not revoked, and records the event. Returns
    /// false if there is no such unconfirmed mpinId.
    func confirm(id: IdentityHash, recording event: AuditEvent) async throws(StorageError) -> Bool

    /// Revokes the subject permanently, and records the event; an identity also loses its code and its
    /// pending registrations. Nil if there is no such subject; then nothing is recorded.
    func revoke(_ subject: Subject, recording event: AuditEvent) async throws(StorageError) -> Revocation?

    /// Revoked ids of which the authority's book may not know yet, in any order: at most `limit`, and never
    /// more than 1000. Every revocation puts its ids here in its own transaction, also those that were
    /// revoked before.
    func untoldRevocations(limit: Int) async throws(StorageError) -> [IdentityHash]

    /// Notes that the authority's book has these revocations.
    func noteTold(_ ids: [IdentityHash]) async throws(StorageError)

    /// The state of the account of these ids; unknown ids are ignored. It is revoked if every known id is
    /// revoked, itself or with its identity. It is suspended if some ids are suspended and all others are
    /// revoked. Without known ids it is neither.
    func standing(of ids: [IdentityHash]) async throws(StorageError) -> AccountStanding
}
