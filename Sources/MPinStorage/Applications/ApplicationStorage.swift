// SPDX-License-Identifier: Apache-2.0
// The storage operations for applications.
package import Octets

/// Applications, their sessions and their authorization codes.
package protocol ApplicationStorage: Sendable {
    /// Adds an application, and records the event. Returns false if there is one with that name.
    func addApplication(
        _ application: ApplicationRecord, recording event: AuditEvent
    ) async throws(StorageError) -> Bool

    /// Removes an application with all its sessions and codes, and records the event. Returns false if there
    /// is none with that name.
    func removeApplication(_ name: String, recording event: AuditEvent) async throws(StorageError) -> Bool

    /// The applications in the order of their names: at most `limit`, and never more than 1000.
    func applications(limit: Int) async throws(StorageError) -> [ApplicationRecord]

    func application(clientID: String) async throws(StorageError) -> ApplicationRecord?

    /// Opens a session. Returns false if too many are live: of the source, of its network, of the
    /// application, or in all.
    func openApplicationSession(_ session: ApplicationSession) async throws(StorageError) -> Bool

    /// The session with this wid; nil if there is none or it has expired.
    func applicationSession(_ wid: String) async throws(StorageError) -> LiveApplicationSession?

    /// Keeps an authorization code for the identity `id`, as its SHA-256 (32 octets). Returns the
    /// application, or nil if the session or application that `place` names does not exist or the session was
    /// used already.
    func keepCode(
        _ hash: AuthorizationCodeHash, of id: IdentityHash, for place: CodePlace
    ) async throws(StorageError) -> ApplicationRecord?

    /// Uses up an authorization code, whichever client presents it. Nil if there is no such code.
    func takeCode(_ hash: AuthorizationCodeHash) async throws(StorageError) -> AuthorizationCode?
}
