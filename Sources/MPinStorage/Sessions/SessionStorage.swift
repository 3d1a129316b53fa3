// SPDX-License-Identifier: Apache-2.0
// The storage operations for consoles' sessions.
package import Octets

/// Sessions of consoles that a second device approves.
package protocol SessionStorage: Sendable {
    /// Opens a session. Stores nothing if the result is `full` or `numberTaken`.
    func openSession(_ opening: SessionOpening) async throws(StorageError) -> SessionOpened

    /// A live session: open or approved, and not expired; otherwise nil.
    func session(_ name: SessionName) async throws(StorageError) -> SessionRecord?

    /// Notes that a device has looked at the session of a console or of an application: when places are
    /// short, it gives way after those that no device has looked at.
    func noteScan(wid: String) async throws(StorageError)

    /// Finds a live session of a console or a browser by its number, for a requester who may have guessed it.
    /// Look-ups are counted, and the result is also nil after too many. The limit of a network does not apply
    /// to a source from which a session was approved within the last day.
    func lookUpSession(
        number: String, by requester: Requester, counting: CountedLookUps
    ) async throws(StorageError) -> Waiting?

    /// Marks a live session approved. Returns false if another device has approved it, if it is not live, or
    /// if the device's owner has reported logins from the session's source.
    func approve(_ approval: Approval) async throws(StorageError) -> Bool

    /// Ends the live session that the question `a` opened; false if there is none of that name.
    /// - Parameter id: the device that denies it, which cannot end a session that another device has
    ///   approved; nil if the console gives up.
    func endSession(
        _ name: SessionName, a: QuestionHash, by id: IdentityHash?
    ) async throws(StorageError) -> Bool

    /// Ends a session like `endSession`, for the owner of the identity `id`, who did not begin the login. For
    /// an hour, no identity of that userID can approve sessions from this source at this host. Records
    /// `events` in the same transaction.
    func reportSession(
        _ name: SessionName, a: QuestionHash, by id: IdentityHash, recording events: [AuditEvent]
    ) async throws(StorageError) -> Bool

    /// Whether the owner of the identity has reported a session from this source (which includes its host)
    /// within the last hour.
    func hasReported(_ source: String, id: IdentityHash) async throws(StorageError) -> Bool

    /// The session that `a` opened, if it was granted and expired no more than ten minutes ago.
    func grantedSession(a: QuestionHash) async throws(StorageError) -> SessionRecord?

    /// Notes that a granted session has bound a phone, and records it; only the first time.
    func noteBound(a: QuestionHash, recording event: AuditEvent) async throws(StorageError)

    /// Answers the console that asked `a`. The first call that finds an approval uses it up; it grants the
    /// login unless the approver is revoked or suspended by then. Nil: there is no such session, or it was
    /// purged.
    ///
    /// - Parameter origin: where a login comes from that this identity has approved, if the approval makes
    ///   the place known to the PINs of its user on that host. The closure may run more than once.
    func settleSession(
        a: QuestionHash, learning origin: @escaping @Sendable (SessionRecord, IdentityRecord) -> TryOrigin?
    ) async throws(StorageError) -> Settlement?

    /// Notes once that a granted session is over, if token and userID belong to it, and returns it.
    func logOut(tokenHash: SessionTokenHash, userID: String) async throws(StorageError) -> SessionRecord?
}
