// SPDX-License-Identifier: Apache-2.0
// The storage operations for login hosts.

/// Hosts, their keys and their join codes. An administrator's act records its event if it was done, in the
/// same transaction.
package protocol HostStorage: Sendable {
    /// Adds a host with a new key and returns its epoch; nil if the host exists. A removed host that is added
    /// again gets a new epoch, never one that a removed key had.
    func addHost(
        _ name: String, join: JoinCodeRecord, key: @escaping HostKeySealing, recording event: AuditEvent
    ) async throws(StorageError) -> UInt32?

    /// Raises the epoch, makes a new key and replaces the join code. Earlier keys stay accepted for 7 days,
    /// or are dropped at once if `hasLeaked`. Returns nil if there is no such host.
    func rotateHost(
        _ name: String, join: JoinCodeRecord, hasLeaked: Bool, key: @escaping HostKeySealing,
        recording event: AuditEvent
    ) async throws(StorageError) -> UInt32?

    /// Removes a host: none of its keys is accepted any more. Returns false if there is no such host.
    func removeHost(_ name: String, recording event: AuditEvent) async throws(StorageError) -> Bool

    /// Uses up a join code. Nil if the joinID is wrong, which counts against its source, or if the source has
    /// tried too often.
    func takeJoin(
        host name: String, joinID: [UInt8], tried: CodeTry
    ) async throws(StorageError) -> Join?

    /// Whether an open join code of any host has this joinID.
    func hasJoin(joinID: [UInt8]) async throws(StorageError) -> Bool

    /// The host with this name; nil if there is none or it was removed.
    func host(_ name: String) async throws(StorageError) -> HostRecord?

    /// Hosts in the order of their names: those after `after`, at most `limit`, and never more than 1000.
    func hosts(after: String?, limit: Int) async throws(StorageError) -> [HostRecord]
}
