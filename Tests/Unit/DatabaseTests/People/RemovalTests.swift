// SPDX-License-Identifier: Apache-2.0
// Removed users: nothing of them is listed, and nothing of them lets anybody in.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct RemovalTests {
    @Test(arguments: Engine.allCases)
    func `a removed user is gone, and one who is added under the name has no history`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.enroll("two")
            _ = try await storage.tryProofAndRedeem("one", .good)
            _ = try await storage.tryProof("one", .wrong)
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            _ = try await storage.suspend("alice", until: nil, reason: "ill")

            let removed = try #require(try await storage.remove("alice"))
            #expect(removed.count == 2 && Set(removed.ids) == [octets("one"), octets("two")])
            #expect(try await storage.user("alice") == nil)
            #expect(try await storage.users(after: nil, limit: 9).isEmpty)
            #expect(try await storage.remove("alice") == nil)

            try await storage.addUser("alice", codeHash: octets("d"), replace: false)
            let again = try #require(try await storage.user("alice"))
            #expect(again.identities.isEmpty && again.suspension == nil && again.revokedAt == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the ids of a removed user stay revoked, and nothing else is kept of them`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.tryProofAndRedeem("one", .good)
            _ = try await storage.remove("alice")
            _ = try await storage.addUser("alice", codeHash: octets("d"), replace: false)
            let left = try #require(try await storage.identity(id: octets("one")))
            #expect(left.revokedAt != nil)
            #expect(left.description.mpinID.isEmpty && left.description.userID.isEmpty)
            #expect(left.lastLoginAt == nil && left.lastLoginFrom == nil && left.wrongTries == nil)
            #expect(try await storage.standing(of: [octets("one")]).isRevoked)
            // The book learns of it, also if the server was killed just now.
            #expect(try await storage.untoldRevocations(limit: 9) == [octets("one")])
            #expect(try await storage.tryProofAndRedeem("one", .good)?.identity?.revokedAt != nil)
            for subject in [Subject.user(""), .user("bob")] {
                #expect(try await storage.revoke(subject) == nil)
            }
        }
    }
}
