// SPDX-License-Identifier: Apache-2.0
// What storage does for applications.

/// Applications, their sessions and their authorization codes.
package protocol ApplicationStorage: Sendable {
    /// False if one has that name.
    func addApplication(_ application: ApplicationRecord) async throws(StorageError) -> Bool

    /// With all its sessions and codes; false if there is none of that name.
    func removeApplication(_ name: String) async throws(StorageError) -> Bool

    /// In the order of their names, at most `limit` and never over 1000.
    func applications(limit: Int) async throws(StorageError) -> [ApplicationRecord]

    func application(clientID: String) async throws(StorageError) -> ApplicationRecord?

    /// False if too many live, of that source, of its application or in all.
    func openApplicationSession(_ session: ApplicationSession) async throws(StorageError) -> Bool

    func applicationSession(_ wid: String) async throws(StorageError) -> LiveApplicationSession?

    /// Keeps a code (SHA-256) of the mpinId `id`; nil if its place is not there, or is used up.
    func keepCode(
        _ hash: [UInt8], of id: [UInt8], for place: CodePlace
    ) async throws(StorageError) -> ApplicationRecord?

    /// Uses an authorization code up, whoever shows it.
    func takeCode(_ hash: [UInt8]) async throws(StorageError) -> AuthorizationCode?
}
