// SPDX-License-Identifier: Apache-2.0
// The storage operations for browsers' sessions.
package import Octets

/// Sessions of browsers that a second device approves.
package protocol BrowserStorage: Sendable {
    /// Opens a session. Stores nothing if the result is `full` or `numberTaken`.
    func openBrowser(_ opening: BrowserOpening) async throws(StorageError) -> SessionOpened

    /// A session, live or not, until it is purged.
    func browser(_ name: BrowserName) async throws(StorageError) -> BrowserRecord?

    /// Notes how far a device has come with a live session. The state never moves back, and never as far as
    /// an approval.
    func advanceBrowser(wid: String, to state: BrowserState) async throws(StorageError)

    /// Marks a live session approved. Returns false if another device has approved it already.
    func approveBrowser(_ approval: Approval) async throws(StorageError) -> Bool

    /// Uses up an approval once, within its minute, by the browser's own authOTT. Nil if there is nothing to
    /// redeem. The session ends instead of being redeemed if the approver is revoked, suspended or blocked by
    /// then. `result` is what the device will receive.
    func redeemBrowser(
        authOTTHash: TicketHash, result: LoginResult
    ) async throws(StorageError) -> BrowserRecord?

    /// Stores once the RPA's result of a redeemed session; false if no session waits for it.
    func finishBrowser(authOTTHash: TicketHash, result: LoginResult) async throws(StorageError) -> Bool

    /// Ends a live session: for the device `id`, unless another device has approved it; with `id` nil, only
    /// if no device has approved it.
    func endBrowser(wid: String, by id: IdentityHash?) async throws(StorageError) -> Bool

    /// Notes once that a redeemed session is over, if token and userID belong to it, and returns it.
    func logOutBrowser(tokenHash: SessionTokenHash, userID: String) async throws(StorageError)
        -> BrowserRecord?
}
