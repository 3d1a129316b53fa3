// SPDX-License-Identifier: Apache-2.0
// What storage knows of people: their identities, and the mpinIds that log in for them.

/// Identities and mpinIds, as administrators and logins find them.
package protocol IdentityStorage: Sendable {
    /// Adds the identity if it is new, lifts its revocation (its old mpinIds stay revoked), and gives it this
    /// code, which replaces one that is still out and what was registered with that.
    /// - Returns: the mpinIds that were enrolled by an earlier picture and never confirmed: another picture
    ///   revokes them, for a stranger may have scanned that one.
    @discardableResult
    func addIdentity(_ userID: String, code: ActivationCode) async throws(StorageError) -> [[UInt8]]

    /// Identities in the order of their userIDs: those behind `after`, at most `limit` and never over 1000.
    func identities(after: String?, limit: Int) async throws(StorageError) -> [IdentityRecord]

    /// Nil if nobody has that name.
    func identity(_ userID: String) async throws(StorageError) -> IdentityRecord?

    /// A live or revoked mpinId.
    func mpin(id: [UInt8]) async throws(StorageError) -> MpinRecord?

    /// Confirms an mpinId that was enrolled by a picture and is not revoked, and records it; false if it is
    /// none.
    func confirm(id: [UInt8], recording event: AuditEvent) async throws(StorageError) -> Bool

    /// Revokes for ever; an identity also loses its code and its pending registrations. Nil if nobody has
    /// that name.
    func revoke(_ subject: Subject) async throws(StorageError) -> Revocation?

    /// Revoked ids in their order: those behind `after`, at most `limit` and never over 1000.
    func revokedIDs(after: [UInt8]?, limit: Int) async throws(StorageError) -> [[UInt8]]

    /// How the account of these ids stands. It is revoked if each of them is known, and revoked itself or its
    /// identity; suspended if some of them are, and the others revoked; without ids it is neither.
    func standing(of ids: [[UInt8]]) async throws(StorageError) -> AccountStanding
}
