// SPDX-License-Identifier: Apache-2.0
// What storage does for login hosts.

/// Hosts, their keys and their join codes.
package protocol HostStorage: Sendable {
    /// Adds a host with a new key and gives its epoch; nil if it is there. A name that was removed comes back
    /// under a new epoch, never under one that a removed key had.
    func addHost(
        _ name: String, join: JoinCodeRecord, key: @escaping HostKeySealing
    ) async throws(StorageError) -> UInt32?

    /// Raises the epoch, with a new key, and replaces the join code. The keys before answer for 7 days, or
    /// not at all any more if one of them has leaked. Nil: no such host.
    func rotateHost(
        _ name: String, join: JoinCodeRecord, hasLeaked: Bool, key: @escaping HostKeySealing
    ) async throws(StorageError) -> UInt32?

    /// No key of the host answers any more; false if there is no such host.
    func removeHost(_ name: String) async throws(StorageError) -> Bool

    /// Uses a join code up; a wrong joinID counts against its source.
    func takeJoin(
        host name: String, joinID: [UInt8], tried: CodeTry
    ) async throws(StorageError) -> Join?

    func host(_ name: String) async throws(StorageError) -> HostRecord?

    /// Hosts in the order of their names: those behind `after`, at most `limit` and never over 1000.
    func hosts(after: String?, limit: Int) async throws(StorageError) -> [HostRecord]
}
