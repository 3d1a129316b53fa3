// SPDX-License-Identifier: Apache-2.0
// What storage does for browsers' sessions.

/// Sessions of browsers that a second device approves.
package protocol BrowserStorage: Sendable {
    /// Opens a session; the answer of a full server, or of a number in use, leaves nothing behind.
    func openBrowser(_ opening: BrowserOpening) async throws(StorageError) -> SessionOpened

    /// A session, live or not, until it is forgotten.
    func browser(_ name: BrowserName) async throws(StorageError) -> BrowserRecord?

    /// Notes how far a device has come with a live session; never back, and never as far as an approval.
    func advanceBrowser(wid: String, to state: BrowserState) async throws(StorageError)

    /// Marks a live session approved. The first to approve has it: false for everybody else.
    func approveBrowser(_ approval: Approval) async throws(StorageError) -> Bool

    /// Uses an approval up: once, within its minute, by the browser's own authOTT. It grants if the approver
    /// is not revoked nor suspended by then. `result` is what the device will hear.
    func redeemBrowser(
        authOTTHash: [UInt8], result: LoginResult
    ) async throws(StorageError) -> BrowserRecord?

    /// Says once what the RPA made of a redeemed session; false if nobody waits to hear it.
    func finishBrowser(authOTTHash: [UInt8], result: LoginResult) async throws(StorageError) -> Bool

    /// Ends a live session, by the device that refused it; by nobody's only one that nobody has approved.
    func endBrowser(wid: String, by id: [UInt8]?) async throws(StorageError) -> Bool

    /// Notes once that a redeemed session is over, if token and userID are its own; gives it.
    func logOutBrowser(tokenHash: [UInt8], userID: String) async throws(StorageError) -> BrowserRecord?
}
