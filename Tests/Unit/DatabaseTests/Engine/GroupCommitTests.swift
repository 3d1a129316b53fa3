// SPDX-License-Identifier: Apache-2.0
// Transactions that wait at the same time share one commit; the failure of one must not reach the others.
@testable import MPinDatabase
@testable import MPinServer
import Testing

struct GroupCommitTests {
    /// Each authOTT comes three times at the same moment. The key refuses two of them, in the middle of their
    /// transactions.
    @Test(arguments: Engine.allCases)
    func `a transaction that fails takes nothing of its neighbours with it`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            let results = await withTaskGroup(of: Result<Void, StorageError>.self) { group in
                for number in 0..<150 {
                    group.addTask { await storage.finish(octets("authOTT \(number / 3)")) }
                }
                var all: [Result<Void, StorageError>] = []
                for await result in group { all.append(result) }
                return all
            }
            let errors = results.compactMap { result -> StorageError? in
                if case .failure(let error) = result { error } else { nil }
            }
            #expect(errors == Array(repeating: .refused, count: 100))
            for number in 0..<50 {
                let hash: TicketHash = octets("authOTT \(number)")
                #expect(
                    try await storage.redeem(authOTTHash: hash, purpose: .question(octets("A"))) != nil)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `operations that wait when the storage closes are carried out or refused as closed`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            async let closing: Void = storage.close()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        do throws(StorageError) {
                            _ = try await storage.takeNonce(octets("nonce \(number)"))
                        } catch {
                            #expect(error == .closed)
                        }
                    }
                }
            }
            await closing
            await #expect(throws: StorageError.closed) { try await storage.purge() }
        }
    }
}

extension ServerDatabase {
    fileprivate func finish(_ authOTT: TicketHash) async -> Result<Void, StorageError> {
        do throws(StorageError) {
            return .success(
                try await finishVerification(
                    VerdictRecord(
                        authOTTHash: authOTT, id: octets("one"), source: "prod-db1 192.0.2.1",
                        result: .wrong, purpose: .question(octets("A")), host: "prod-db1", hostEpoch: 1,
                        origin: TryOrigin("192.0.2.1", learns: false), counting: .bySource, tryNumber: nil)))
        } catch {
            return .failure(error)
        }
    }
}
