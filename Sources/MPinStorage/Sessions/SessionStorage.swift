// SPDX-License-Identifier: Apache-2.0
// What storage does for consoles' sessions.

/// Sessions of consoles that a second device approves.
package protocol SessionStorage: Sendable {
    /// Opens a session; the answer of a full host, or of a number in use, leaves nothing behind.
    func openSession(_ opening: SessionOpening) async throws(StorageError) -> SessionOpened

    /// A live session: open or approved, and not expired.
    func session(_ name: SessionName) async throws(StorageError) -> SessionRecord?

    /// The same by its number, a browser's too, for a stranger who may have guessed it: counted, and nil also
    /// for whoever has asked too often. A source that a session was approved from yesterday is no stranger to
    /// its network.
    func lookUpSession(
        number: String, by seeker: Seeker, counting: CountedLookUps
    ) async throws(StorageError) -> Waiting?

    /// Marks a live session approved. The first to approve has it: false for everybody else, for a session
    /// that is not live, and for whoever has reported logins from its source.
    func approve(_ approval: Approval) async throws(StorageError) -> Bool

    /// Ends the live session that the question `a` opened; false if there is none of that name.
    /// - Parameter id: of a device that denies it, which ends nothing that another device has approved; nil:
    ///   the console itself gives up.
    func endSession(
        _ name: SessionName, a: [UInt8], by id: [UInt8]?
    ) async throws(StorageError) -> Bool

    /// The same for the owner of the mpinId `id`, who did not begin it: for an hour sessions of this source
    /// at this host are not for any mpinId of that userID. Records it in the same transaction.
    func reportSession(
        _ name: SessionName, a: [UInt8], by id: [UInt8], recording events: [AuditEvent]
    ) async throws(StorageError) -> Bool

    /// Whether the mpinId has reported a session of this source (with its host) within the hour.
    func hasReported(_ source: String, id: [UInt8]) async throws(StorageError) -> Bool

    /// The session that `a` opened, if an approval of it was told within the last ten minutes.
    func grantedSession(a: [UInt8]) async throws(StorageError) -> SessionRecord?

    /// What the console that asked `a` is told. An approval is used up by the first call that finds it, and
    /// grants if the approver is not revoked nor suspended by then. Nil: no such session, or it is forgotten.
    func settleSession(a: [UInt8]) async throws(StorageError) -> Settlement?

    /// Notes once that a granted session is over, if token and userID are its own; gives it.
    func logOut(tokenHash: [UInt8], userID: String) async throws(StorageError) -> SessionRecord?
}
