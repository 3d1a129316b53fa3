// SPDX-License-Identifier: Apache-2.0
// What storage does when nobody asks.

/// What a server has done at its start, and now and then.
package protocol HousekeepingStorage: Sendable {
    /// Whether `check` is what tells the device keys of this epoch; the first that is named is kept.
    func checkDeviceKeys(epoch: UInt32, check: [UInt8]) async throws(StorageError) -> Bool

    /// Revokes some of what was enrolled by a picture a day ago and nobody has confirmed; gives their ids.
    func revokeUnconfirmed() async throws(StorageError) -> [[UInt8]]

    /// Removes some of what has expired and gives the number of rows; called now and then until it gives 0.
    func purge() async throws(StorageError) -> Int
}
