// SPDX-License-Identifier: Apache-2.0
// Browsers' sessions and what a foreign RPA says, over SQL: which connection each operation takes.
package import MPinStorage

extension SQLStorage {
    /// Not waited for: a session that a loss of power takes is asked for again.
    package func openBrowser(_ opening: BrowserOpening) async throws(StorageError) -> SessionOpened {
        try await writer.transaction(.brief) { t throws(StorageError) in try t.openBrowser(opening) }
    }

    package func browser(_ name: BrowserName) async throws(StorageError) -> BrowserRecord? {
        try await reader.transaction(.read) { t throws(StorageError) in try t.browser(name) }
    }

    package func advanceBrowser(wid: String, to state: BrowserState) async throws(StorageError) {
        try await writer.transaction(.brief) { t throws(StorageError) in
            try t.advanceBrowser(wid: wid, to: state)
        }
    }

    package func approveBrowser(_ approval: Approval) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.approveBrowser(approval) }
    }

    package func redeemBrowser(
        authOTTHash: [UInt8], result: LoginResult
    ) async throws(StorageError) -> BrowserRecord? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.redeemBrowser(authOTTHash: authOTTHash, result: result)
        }
    }

    package func finishBrowser(
        authOTTHash: [UInt8], result: LoginResult
    ) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.finishBrowser(authOTTHash: authOTTHash, result: result)
        }
    }

    package func awaitResult(authOTTHash: [UInt8]) async throws(StorageError) {
        try await writer.transaction(.brief) { t throws(StorageError) in
            try t.awaitResult(authOTTHash: authOTTHash)
        }
    }

    package func takeResult(authOTTHash: [UInt8]) async throws(StorageError) -> Bool {
        try await writer.transaction(.brief) { t throws(StorageError) in
            try t.takeResult(authOTTHash: authOTTHash)
        }
    }

    package func activate(id: [UInt8], activateKeyHash: [UInt8]) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.activate(id: id, activateKeyHash: activateKeyHash)
        }
    }

    package func forgetRegistration(id: [UInt8]) async throws(StorageError) {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.forgetRegistration(id: id) }
    }

    package func endBrowser(wid: String, by id: [UInt8]?) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.endBrowser(wid: wid, by: id)
        }
    }

    package func logOutBrowser(
        tokenHash: [UInt8], userID: String
    ) async throws(StorageError) -> BrowserRecord? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.logOutBrowser(tokenHash: tokenHash, userID: userID)
        }
    }
}
