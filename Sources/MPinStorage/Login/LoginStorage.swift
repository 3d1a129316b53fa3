// SPDX-License-Identifier: Apache-2.0
// The storage operations for the two passes of a login.
package import Octets

/// Nonces of questions, records of pass 1, and the count of tries.
package protocol LoginStorage: Sendable {
    /// Throws `.unavailable(.clock)` if the database's clock is too far from this machine's: then no client
    /// secret and no permit may be issued. A pass 1 checks it by itself.
    func checkClock() async throws(StorageError)

    /// Takes the nonce (32 octets) of a sealed question. Returns true the first time only, even after a loss
    /// of power.
    func takeNonce(_ nonce: QuestionNonce) async throws(StorageError) -> Bool

    /// Keeps a pass 1 for 15 seconds.
    func keepPassOne(_ record: PassOneRecord, key: PassOneKey) async throws(StorageError)

    /// The same for a pass 1 with a sealed question: takes the question's nonce (as `takeNonce` does), reads
    /// the identity `id`, and keeps the record that `record` makes with it (nil for an unknown id). Returns
    /// false if the nonce was taken before; then nothing is kept. The closure may run more than once.
    func keepPassOne(
        nonce: QuestionNonce, id: IdentityHash, key: PassOneKey,
        record: @escaping @Sendable (IdentityRecord?) -> PassOneRecord
    ) async throws(StorageError) -> Bool

    /// Takes the pass-1 record of this id and counts the try durably; the proof is verified afterwards,
    /// outside any transaction. Without a record it returns nil and counts nothing. `TryCounting` says what a
    /// try counts against. Locks and blocks are set before the proof is verified; a good verdict lifts them.
    ///
    /// - Parameter deviceEpoch: returns the epoch of the device key whose tag came with this pass 2, or nil
    ///   if there was no right tag. A bound identity has that epoch from then on. The closure may run more
    ///   than once.
    func beginVerification(
        id: IdentityHash, key: PassOneKey, deviceEpoch: @escaping DeviceTagCheck
    ) async throws(StorageError) -> Verification?
}

extension LoginStorage {
    /// `beginVerification` for a pass 2 without a device's tag.
    package func beginVerification(
        id: IdentityHash, key: PassOneKey
    ) async throws(StorageError) -> Verification? {
        try await beginVerification(id: id, key: key, deviceEpoch: { _, _ in nil })
    }
}
