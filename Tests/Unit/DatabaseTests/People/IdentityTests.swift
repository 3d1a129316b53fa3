// SPDX-License-Identifier: Apache-2.0
// Identities as the administrator sees them: list, revocation, a new start, unlock.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

@Suite(.slow) struct IdentityTests {
    @Test(arguments: Engine.allCases)
    func `users are listed in pages, with their codes and identities`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("a1", kind: .unbound)
            for name in ["dora", "bob", "Ängström", "carol"] {
                try await storage.addUser(name, codeHash: octets(name), replace: false)
            }
            let first = try await storage.users(after: nil, limit: 3)
            #expect(first.map(\.userID) == ["alice", "bob", "carol"])
            #expect(first[0].identities.map(\.description.id) == [octets("a1")])
            #expect(first[0].codeExpiresAt == nil)
            #expect(first[1].codeExpiresAt == first[1].addedAt + Limits.codeLife)
            let rest = try await storage.users(after: "carol", limit: 3)
            #expect(rest.map(\.userID) == ["dora", "Ängström"])
            #expect(try await storage.users(after: nil, limit: -1) == [])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a revoked user loses identities, codes and registrations at once`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.enroll("two")
            _ = try await storage.enroll("other", of: "bob")
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            _ = try await storage.register(request("three"), by: code("c"))
            for count in [2, 0] {
                let revocation = try #require(try await storage.revoke(.user("alice")))
                #expect(Set(revocation.ids) == [octets("one"), octets("two")])
                #expect(revocation.count == count)
            }
            #expect(try await storage.issue(id: octets("three"), regOTTHash: octets("ott three")) == nil)
            #expect(try await storage.register(request("four"), by: code("c")) == .refused)
            #expect(try await storage.identity(id: octets("two"))?.revokedAt != nil)
            #expect(try await storage.identity(id: octets("other"))?.revokedAt == nil)
            #expect(try await storage.users(after: nil, limit: 1).first?.revokedAt != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a single identity can be revoked, and stays revoked`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            _ = try await storage.enroll("two")
            let revoked = Revocation(ids: [octets("one")], count: 1)
            #expect(try await storage.revoke(.identity(octets("one"))) == revoked)
            let at = try await storage.identity(id: octets("one"))?.revokedAt
            clock.pass(Limits.hour)
            let again = Revocation(ids: [octets("one")], count: 0)
            #expect(try await storage.revoke(.identity(octets("one"))) == again)
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            #expect(try await storage.identity(id: octets("one"))?.revokedAt == at)
            #expect(try await storage.identity(id: octets("two"))?.revokedAt == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a revocation stays in the outbox until the book is told, and a repeated one comes back`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { (storage, _) async throws in
            for label in ["a", "b", "c", "live"] { _ = try await storage.enroll(label, of: label) }
            func untold() async throws -> Set<IdentityHash> {
                Set(try await storage.untoldRevocations(limit: 9))
            }
            #expect(try await untold() == [])
            for label in ["c", "a", "b"] { _ = try await storage.revoke(.user(label)) }
            #expect(try await storage.untoldRevocations(limit: 2).count == 2)
            #expect(try await untold() == [octets("a"), octets("b"), octets("c")])
            try await storage.noteTold([octets("b"), octets("live"), octets("c")])
            #expect(try await untold() == [octets("a")])
            try await storage.noteTold([octets("a")])
            _ = try await storage.revoke(.identity(octets("b")))
            _ = try await storage.revoke(.user("c"))
            #expect(try await untold() == [octets("b"), octets("c")])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a user who is added again after a revocation begins with a new identity`(_ engine: Engine)
        async throws
    {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.revoke(.user("alice"))
            #expect(try await storage.enroll("two") != nil)
            let alice = try await storage.users(after: nil, limit: 1).first
            #expect(alice?.revokedAt == nil)
            #expect(alice?.identities.filter { $0.revokedAt == nil }.map(\.description.id) == [octets("two")])
        }
    }

    @Test(arguments: Engine.allCases)
    func `an unknown user or id cannot be revoked or unlocked`(_ engine: Engine) async throws {
        try await withStorage(engine) { (storage, _) async throws in
            for subject in [Subject.user("nobody"), .user(""), .identity(octets("none")), .identity(.zero)] {
                #expect(try await storage.revoke(subject) == nil)
                #expect(try await storage.unlock(subject) == .nobody)
            }
        }
    }

    @Test(arguments: Engine.allCases, [Subject.user("alice"), .identity(octets("one"))])
    func `unlock ends the locks of every source`(_ engine: Engine, _ subject: Subject) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            for source in ["a", "b"] {
                for _ in 0..<3 { try await storage.tryProofAndRedeem("one", .wrong, from: source) }
                #expect(try await storage.tryProofAndRedeem("one", .good, from: source)?.lockedSeconds != nil)
            }
            #expect(try await storage.unlock(subject) == .unlocked)
            for source in ["a", "b"] {
                let begun = try await storage.tryProofAndRedeem("one", .good, from: source)
                #expect(begun?.lockedSeconds == nil)
                #expect(begun?.triesLeft == 2)
            }
        }
    }

    @Test(arguments: Engine.allCases, [Subject.user("alice"), .identity(octets("one"))])
    func `an unlock distinguishes a lock, wrong tries, neither, and a revocation`(
        _ engine: Engine, _ subject: Subject
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            #expect(try await storage.unlock(subject) == .open)
            try await storage.tryProofAndRedeem("one", .wrong, from: "a")
            #expect(try await storage.unlock(subject) == .forgotten)
            #expect(try await storage.unlock(subject) == .open)
            for _ in 0..<3 { try await storage.tryProofAndRedeem("one", .wrong, from: "a") }
            clock.pass(2 * 60 * Limits.second)
            #expect(try await storage.unlock(subject) == .forgotten)
            for _ in 0..<3 { try await storage.tryProofAndRedeem("one", .wrong, from: "a") }
            #expect(try await storage.unlock(subject) == .unlocked)
            _ = try await storage.revoke(subject)
            #expect(try await storage.unlock(subject) == .revoked)
        }
    }

    @Test(arguments: Engine.allCases)
    func `names are compared octet by octet`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            let composed = "caf\u{e9}"
            let decomposed = "cafe\u{301}"
            try await storage.addUser(composed, codeHash: octets("c"), replace: false)
            let stranger = request("x", of: decomposed)
            #expect(try await storage.register(stranger, by: code("c")) == .refused)
            #expect(try await storage.revoke(.user(decomposed)) == nil)
            #expect(try await storage.revoke(.user("CAFÉ")) == nil)
            #expect(try await storage.revoke(.user(composed)) == Revocation(ids: [], count: 0))
        }
    }

    @Test(arguments: Engine.allCases)
    func `text that looks like SQL is an ordinary name, and a NUL is refused`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            let name = "'); DROP TABLE identities; --$1?%_"
            try await storage.addUser(name, codeHash: octets("c"), replace: false)
            #expect(try await storage.users(after: nil, limit: 9).map(\.userID) == [name])
            await #expect(throws: StorageError.refused) {
                try await storage.addUser("alice\0root", codeHash: octets("c"), replace: false)
            }
            #expect(try await storage.users(after: nil, limit: 9).count == 1)
        }
    }
}

extension ServerDatabase {
    /// Runs a proof, and redeems its verdict at once.
    @discardableResult
    func tryProofAndRedeem(
        _ label: String, _ result: ProofResult, from source: String = "prod-db1 192.0.2.1",
        tagEpoch: UInt32? = nil
    ) async throws -> Verification? {
        let begun = try await tryProof(label, result, from: source, tagEpoch: tagEpoch)
        _ = try await redeemProof()
        return begun
    }
}
