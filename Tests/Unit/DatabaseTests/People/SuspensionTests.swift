// SPDX-License-Identifier: Apache-2.0
// Suspensions: what they refuse and end, when they expire, and what a resumption does not restore.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

@Suite(.slow) struct SuspensionTests {
    private func suspend(
        _ storage: ServerDatabase, _ name: String = "alice", until: UnixMilliseconds? = nil
    ) async throws {
        let outcome = try await storage.suspend(name, until: until, reason: "")
        guard case .suspended = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    private func isSuspended(_ storage: ServerDatabase, _ label: String = "one") async throws -> Bool? {
        try await storage.identity(id: octets(label))?.isSuspended
    }

    @Test(arguments: Engine.allCases)
    func `tries of a suspended user are refused, and neither counted nor forgiven`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            for _ in 0..<2 { try await storage.tryProofAndRedeem("one", .wrong) }
            try await suspend(storage)
            for result in [ProofResult.good, .wrong, .good, .wrong, .good] {
                let begun = try #require(try await storage.tryProof("one", result))
                #expect(begun.lockedSeconds == 0)
                #expect(begun.identity?.isSuspended == true)
                _ = try await storage.redeemProof()
            }
            try await storage.keepPassOne(passOne("one"), key: .source("s"))
            let begun = try await storage.beginVerification(id: octets("one"), key: .source("s"))
            try await storage.finishVerification(verdict("one", .suspended, begun))
            let redeemed = try #require(try await storage.redeemProof())
            #expect(redeemed.verdict.result == .suspended)
            #expect(redeemed.identity?.isSuspended == true)
            #expect(try await storage.identity(id: octets("one"))?.lastLoginAt == nil)
            #expect(try await storage.resume("alice") == true)
            #expect(try await storage.tryProofAndRedeem("one", .wrong)?.triesLeft == 0)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a right proof from before the suspension is not valid`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.enroll("two")
            _ = try await storage.tryProof("two", .good)
            try await suspend(storage)
            let redeemed = try #require(try await storage.redeemProof())
            #expect(redeemed.identity?.isSuspended == true)
            #expect(redeemed.wrongTries == nil && redeemed.revoked.isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a suspension expires, and a clock that is set back restores it`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            #expect(try await isSuspended(storage) == false)
            try await suspend(storage, until: clock.milliseconds + Limits.hour)
            for (step, isOn) in [
                (Limits.hour - 1, true), (1, false), (-1, true), (-Limits.day, true),
                (2 * Limits.day, false),
            ] {
                clock.pass(step)
                #expect(try await isSuspended(storage) == isOn)
                #expect(try await (storage.user("alice")?.suspension != nil) == isOn)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `without an end a suspension lasts until an administrator resumes the user`(_ engine: Engine)
        async throws
    {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            try await suspend(storage)
            clock.pass(100_000 * Limits.day)
            #expect(try await isSuspended(storage) == true)
            #expect(try await storage.user("alice")?.suspension?.until == nil)
            #expect(try await storage.resume("alice") == true)
            #expect(try await isSuspended(storage) == false)
            #expect(try await storage.resume("alice") == false)
            #expect(try await storage.resume("nobody") == nil)
        }
    }

    @Test func `a restart ends no suspension`() async throws {
        let folder = try Folder()
        let clock = TestClock()
        var storage = try folder.open(clock)
        _ = try await storage.enroll("one")
        try await suspend(storage, until: clock.milliseconds + Limits.hour)
        await storage.close()
        storage = try folder.open(clock)
        #expect(try await isSuspended(storage) == true)
        #expect(try await storage.resume("alice") == true)
        await storage.close()
        storage = try folder.open(clock)
        #expect(try await isSuspended(storage) == false)
        await storage.close()
    }

    @Test(arguments: Engine.allCases)
    func `a second suspension has the new end and the new reason`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            let start = clock.milliseconds
            let first = Suspension(since: start, until: start + Limits.hour, reason: "leave")
            let told = try await storage.suspend("alice", until: first.until, reason: "leave")
            #expect(told == .suspended(first))
            #expect(try await storage.user("alice")?.suspension == first)
            clock.pass(Limits.minute)
            let longer = Suspension(since: start, until: nil, reason: "")
            #expect(try await storage.suspend("alice", until: nil, reason: "") == .suspended(longer))
            #expect(try await storage.user("alice")?.suspension == longer)
            _ = try await storage.suspend("alice", until: start + Limits.hour, reason: "")
            clock.pass(Limits.day)
            let later = Suspension(since: clock.milliseconds, until: nil, reason: "again")
            #expect(try await storage.suspend("alice", until: nil, reason: "again") == .suspended(later))
        }
    }

    @Test(arguments: Engine.allCases)
    func `an unknown user, a revoked user or an end in the past is refused`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            _ = try await storage.enroll("two", of: "bob")
            _ = try await storage.revoke(.user("bob"))
            #expect(try await storage.suspend("carol", until: nil, reason: "") == .nobody)
            #expect(try await storage.suspend("bob", until: nil, reason: "") == .revoked)
            let now = clock.milliseconds
            for end in [now, now - 1, 0, -1] {
                #expect(try await storage.suspend("alice", until: end, reason: "") == .over)
            }
            #expect(try await isSuspended(storage) == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `identities enrolled meanwhile are suspended too, and neither a code nor an unlock ends it`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.enroll("other", of: "bob")
            try await suspend(storage)
            #expect(try await storage.enroll("two") != nil)
            #expect(try await isSuspended(storage, "two") == true)
            #expect(try await storage.unlock(.user("alice")) == .open)
            #expect(try await isSuspended(storage) == true)
            #expect(try await isSuspended(storage, "other") == false)
            // A revoked identity is revoked, not suspended.
            _ = try await storage.revoke(.identity(octets("one")))
            #expect(try await isSuspended(storage) == false)
            _ = try await storage.revoke(.user("alice"))
            #expect(try await storage.enroll("three") != nil)
            #expect(try await isSuspended(storage, "three") == true)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an account is suspended if none of its identities may log in`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.enroll("two", of: "bob")
            try await suspend(storage)
            let out = AccountStanding(isRevoked: false, isSuspended: true)
            #expect(try await storage.standing(of: [octets("one")]) == out)
            let ids: [IdentityHash] = [octets("one"), octets("two")]
            let mixed = AccountStanding(isRevoked: false)
            #expect(try await storage.standing(of: ids) == mixed)
            _ = try await storage.revoke(.identity(octets("two")))
            #expect(try await storage.standing(of: ids) == out)
            _ = try await storage.resume("alice")
            #expect(try await storage.standing(of: ids) == mixed)
        }
    }
}
