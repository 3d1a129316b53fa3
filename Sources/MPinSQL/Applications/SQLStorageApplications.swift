// SPDX-License-Identifier: Apache-2.0
// Storage over SQL, one-time passwords and applications: which connection each operation takes.
package import MPinStorage

extension SQLStorage {
    /// A password lives for two minutes, a session for five, a code for one. None of what happens to them is
    /// waited for: after a loss of power all of them are void.
    package func askOTPs(_ question: OTPQuestion) async throws(StorageError) -> [[UInt8]?] {
        try await writer.transaction(.brief) { t throws(StorageError) in try t.askOTPs(question) }
    }

    package func matchOTP(a: [UInt8], id: [UInt8], sealed: [UInt8]) async throws(StorageError) {
        try await writer.transaction(.brief) { t throws(StorageError) in
            try t.matchOTP(a: a, id: id, sealed: sealed)
        }
    }

    package func settleOTP(a: [UInt8], id: [UInt8]) async throws(StorageError) -> OTPSettlement? {
        try await writer.transaction(.brief) { t throws(StorageError) in try t.settleOTP(a: a, id: id) }
    }

    package func addApplication(_ application: ApplicationRecord) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.addApplication(application)
        }
    }

    package func removeApplication(_ name: String) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.removeApplication(name) }
    }

    package func applications(limit: Int) async throws(StorageError) -> [ApplicationRecord] {
        try await reader.transaction(.read) { t throws(StorageError) in try t.applications(limit: limit) }
    }

    package func application(clientID: String) async throws(StorageError) -> ApplicationRecord? {
        try await reader.transaction(.read) { t throws(StorageError) in
            try t.application(clientID: clientID)
        }
    }

    package func openApplicationSession(
        _ session: ApplicationSession
    ) async throws(StorageError) -> Bool {
        try await writer.transaction(.brief) { t throws(StorageError) in
            try t.openApplicationSession(session)
        }
    }

    package func applicationSession(_ wid: String) async throws(StorageError) -> LiveApplicationSession? {
        try await reader.transaction(.read) { t throws(StorageError) in try t.applicationSession(wid) }
    }

    package func redeemForApplication(authOTTHash: [UInt8]) async throws(StorageError) -> Redemption? {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.redeemForApplication(authOTTHash: authOTTHash)
        }
    }

    package func keepCode(
        _ hash: [UInt8], of id: [UInt8], for place: CodePlace
    ) async throws(StorageError) -> ApplicationRecord? {
        try await writer.transaction(.brief) { t throws(StorageError) in
            try t.keepCode(hash, of: id, for: place)
        }
    }

    package func takeCode(_ hash: [UInt8]) async throws(StorageError) -> AuthorizationCode? {
        try await writer.transaction(.brief) { t throws(StorageError) in try t.takeCode(hash) }
    }
}
