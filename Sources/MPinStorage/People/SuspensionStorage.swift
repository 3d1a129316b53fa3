// SPDX-License-Identifier: Apache-2.0
// How storage keeps somebody out for a while, and lets them in again.

/// Suspensions and locks, as an administrator begins and ends them.
package protocol SuspensionStorage: Sendable {
    /// Refuses every login of an identity until then, or until `resume`, also of what it enrols meanwhile.
    /// What was approved or given out and not used ends. Of a suspension that goes on, end and reason change.
    func suspend(
        _ userID: String, until: UnixMilliseconds?, reason: String
    ) async throws(StorageError) -> SuspensionOutcome

    /// Ends a suspension at once; whether there was one, nil if nobody has that name.
    func resume(_ userID: String) async throws(StorageError) -> Bool?

    /// Ends every lock, and forgets the tries counted against the subject and the logins that it reported. Of
    /// whoever is revoked it changes nothing.
    func unlock(_ subject: Subject) async throws(StorageError) -> Unlocking
}
