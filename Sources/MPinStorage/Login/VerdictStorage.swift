// SPDX-License-Identifier: Apache-2.0
// What storage does with the verdict on a pass 2.

/// Verdicts: written once, redeemed once.
package protocol VerdictStorage: Sendable {
    /// Writes the verdict, to be redeemed within 60 seconds. A good one clears the count of id and source and
    /// notes the login; whoever never comes here has been counted for good.
    func finishVerification(_ verdict: VerdictRecord) async throws(StorageError)

    /// Uses an authOTT up: once, within its life, for its own purpose; otherwise nil, and nothing changes. A
    /// bad login that was to change a PIN is told to whoever asks with its question, as `ask`.
    func redeem(authOTTHash: [UInt8], purpose: VerdictPurpose) async throws(StorageError) -> Redemption?

    /// The same for a plain login whose RPA is somebody else's: that checks the one-time password itself, so
    /// none lives here.
    func redeemForParty(authOTTHash: [UInt8]) async throws(StorageError) -> Redemption?

    /// Uses up an authOTT that was made for a session, whichever; the verdict's purpose names it by its wid.
    func redeemForSession(authOTTHash: [UInt8]) async throws(StorageError) -> Redemption?

    /// Uses up an authOTT that was made for an application's session, whichever.
    func redeemForApplication(authOTTHash: [UInt8]) async throws(StorageError) -> Redemption?

    /// Remembers for a minute that an RPA has redeemed this authOTT and will say what it made of it.
    func awaitResult(authOTTHash: [UInt8]) async throws(StorageError)

    /// Forgets it; true the first time.
    func takeResult(authOTTHash: [UInt8]) async throws(StorageError) -> Bool
}
