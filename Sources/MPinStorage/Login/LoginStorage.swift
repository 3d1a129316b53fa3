// SPDX-License-Identifier: Apache-2.0
// What storage does for the two passes of a login.

/// Questions, passes 1, and the count of tries.
package protocol LoginStorage: Sendable {
    /// Takes the nonce (32 octets) of a sealed question: true the first time only, after a loss of power too.
    func takeNonce(_ nonce: [UInt8]) async throws(StorageError) -> Bool

    /// Keeps a pass 1 for 15 seconds.
    func keepPassOne(_ record: PassOneRecord, key: PassOneKey) async throws(StorageError)

    /// Takes the pass-1 record of this id away and counts the try, durably; the proof is verified afterwards,
    /// outside any transaction. Without a record nil, and nothing is counted. What a try counts against and
    /// when it is refused: `TryCounting`. Locks and blocks come before their proof is looked at; a good
    /// verdict lifts them.
    ///
    /// - Parameter deviceEpoch: the epoch of the device key whose tag came with this pass 2; nil without a
    ///   right one. A bound mpinId is of that epoch from then on. It may run more than once.
    func beginVerification(
        id: [UInt8], key: PassOneKey, deviceEpoch: DeviceTagCheck
    ) async throws(StorageError) -> Verification?
}

extension LoginStorage {
    /// Where no device brings a tag.
    package func beginVerification(
        id: [UInt8], key: PassOneKey
    ) async throws(StorageError) -> Verification? {
        try await beginVerification(id: id, key: key, deviceEpoch: { _, _ in nil })
    }
}
