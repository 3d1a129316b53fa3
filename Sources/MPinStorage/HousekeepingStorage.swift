// SPDX-License-Identifier: Apache-2.0
// The storage operations that no request causes: checks at the start and periodic clean-up.
package import Octets

/// What a server does when it starts, and periodically.
package protocol HousekeepingStorage: Sendable {
    /// Whether this is the value of the check of that name. The first value that is passed for a name is
    /// stored.
    func checkSecret(_ check: SecretCheck) async throws(StorageError) -> Bool

    /// The time by the database's clock, after a trivial read of its file: whether it answers.
    func clock() async throws(StorageError) -> UnixMilliseconds

    /// Revokes some of the identities that were enrolled by a QR code more than a day ago and have not been
    /// confirmed; returns their ids.
    func revokeUnconfirmed() async throws(StorageError) -> [IdentityHash]

    /// Removes all expired rows, a few in each transaction, and returns their number.
    func purge() async throws(StorageError) -> Int
}
