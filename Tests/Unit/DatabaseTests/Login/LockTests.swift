// SPDX-License-Identifier: Apache-2.0
// Wrong tries in a row, the lock that follows, and how it ends.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct LockTests {
    @Test func `a lock lasts 1, 2, 4, 8, 16, 32 and then 60 minutes`() {
        let minutes = (1...12).map { Locks().lock(afterFailures: $0) / Limits.minute }
        #expect(minutes == [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
        #expect(Locks().lock(afterFailures: .max) == 60 * Limits.minute)
        #expect((0...4).map { Locks().triesLeft(afterFailures: $0) } == [3, 2, 1, 0, 0])
        #expect(Locks().triesLeft(afterFailures: .min + 9) == .max)
    }

    @Test func `stricter locks start sooner and last longer, and are never shorter than the default ones`() {
        var locks = Locks()
        (locks.after, locks.first, locks.longest) = (2, 5 * Limits.minute, 12 * Limits.hour)
        let minutes = (1...10).map { locks.lock(afterFailures: $0) / Limits.minute }
        #expect(minutes == [0, 5, 10, 20, 40, 80, 160, 320, 640, 720])
        #expect((0...3).map { locks.triesLeft(afterFailures: $0) } == [2, 1, 0, 0])
        for after in 1...3 as ClosedRange<Int64> {
            for first in [1, 7, 720] as [Int64] {
                (locks.after, locks.first) = (after, first * Limits.minute)
                for failures in [1, 2, 3, 5, 9, 30, .max] as [Int64] {
                    let lock = locks.lock(afterFailures: failures)
                    #expect(lock >= Locks().lock(afterFailures: failures) && lock <= 12 * Limits.hour)
                }
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `with other settings the second wrong PIN locks, for the time that they set`(
        _ engine: Engine
    ) async throws {
        var lives = Lives()
        (lives.locks.after, lives.locks.first) = (2, 5 * Limits.minute)
        try await withStorage(engine, lives: lives) { storage, clock in
            _ = try await storage.enroll("one")
            try await storage.tryProofAndRedeem("one", .good)
            try await storage.tryProof("one", .wrong)
            let first = try #require(try await storage.redeemProof())
            #expect(first.tries.left == 1 && first.tries.lockedSeconds == 0)
            for minutes in [5, 10] as [Int64] {
                try await storage.tryProof("one", .wrong)
                let locked = try #require(try await storage.redeemProof())
                #expect(locked.tries.left == 0 && locked.tries.lockedSeconds == UInt32(60 * minutes))
                clock.pass(minutes * Limits.minute - 1)
                #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds == 1)
                clock.pass(1)
            }
            #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds == nil)
            #expect(try await storage.tryProofAndRedeem("one", .wrong)?.triesLeft == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `where the first wrong PIN locks, right ones still log in one after the other`(
        _ engine: Engine
    ) async throws {
        var lives = Lives()
        lives.locks.after = 1
        try await withStorage(engine, lives: lives) { storage, _ in
            _ = try await storage.enroll("one")
            for _ in 0..<3 {
                #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds == nil)
            }
            try await storage.tryProof("one", .wrong)
            #expect(try await storage.redeemProof()?.tries.lockedSeconds == 60)
            #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds == 60)
        }
    }

    @Test(arguments: Engine.allCases)
    func `three wrong PINs in a row lock, and each further one locks for longer`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            // Strange sources have ten tries a day in all; this one is known after a login.
            try await storage.tryProofAndRedeem("one", .good)
            for left in [2, 1] as [UInt16] {
                try await storage.tryProof("one", .wrong)
                let redeemed = try await storage.redeemProof()
                #expect(redeemed?.tries.left == left)
                #expect(redeemed?.tries.lockedSeconds == 0)
            }
            for minutes in [1, 2, 4, 8, 16, 32, 60, 60] as [Int64] {
                let begun = try await storage.tryProof("one", .wrong)
                #expect(begun?.lockedSeconds == nil)
                let redeemed = try #require(try await storage.redeemProof())
                #expect(redeemed.tries.left == 0)
                let seconds = Int64(redeemed.tries.lockedSeconds)
                #expect((60 * minutes - 30...60 * minutes).contains(seconds))
                clock.pass(minutes * Limits.minute - 30 * Limits.second)
                #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds != nil)
                clock.pass(30 * Limits.second)
            }
            #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds == nil)
            #expect(try await storage.tryProofAndRedeem("one", .wrong)?.triesLeft == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a refused try neither counts nor makes the lock longer`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            for _ in 0..<3 { try await storage.tryProofAndRedeem("one", .wrong) }
            for _ in 0..<20 {
                #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds != nil)
            }
            clock.pass(Limits.minute)
            #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a granted login forgives the wrong tries before it`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            for _ in 0..<10 {
                #expect(try await storage.tryProofAndRedeem("one", .wrong)?.triesLeft == 2)
                #expect(try await storage.tryProofAndRedeem("one", .wrong)?.triesLeft == 1)
                #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds == nil)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a lock is for one source and one identity only`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.enroll("two")
            for _ in 0..<5 { try await storage.tryProofAndRedeem("one", .wrong, from: "local:1001") }
            let bob = try await storage.tryProofAndRedeem("one", .good, from: "local:1001")
            let alice = try await storage.tryProofAndRedeem("one", .good, from: "local:1000")
            let other = try await storage.tryProofAndRedeem("two", .good, from: "local:1001")
            #expect(bob?.lockedSeconds != nil)
            #expect(alice?.lockedSeconds == nil)
            #expect(other?.lockedSeconds == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `proofs without a verdict stay counted`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            for left in [2, 1, 0] as [UInt16] {
                try await storage.keepPassOne(passOne("one"), key: .n(octets("n")))
                let begun = try await storage.beginVerification(id: octets("one"), key: .n(octets("n")))
                #expect(begun?.lockedSeconds == nil)
                #expect(begun?.triesLeft == left)
            }
            #expect(try await storage.tryProof("one", .good)?.lockedSeconds != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of fifty concurrent proofs three are verified`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            // Kept while the clock is ahead, so that none of them expires on a slow machine.
            clock.pass(Limits.registrationLife)
            for number in 0..<50 {
                try await storage.keepPassOne(passOne("one"), key: .n(octets("n\(number)")))
            }
            clock.pass(-Limits.registrationLife)
            let looked = try await count(50) { number in
                let begun = try await storage.beginVerification(
                    id: octets("one"), key: .n(octets("n\(number)")))
                return try #require(begun).lockedSeconds == nil
            }
            #expect(looked == 3)
        }
    }

    @Test(arguments: Engine.allCases)
    func `wrong tries are forgotten after a day without any, a lock never before its end`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            for _ in 0..<2 { try await storage.tryProofAndRedeem("one", .wrong) }
            clock.pass(Limits.headLife - Limits.minute)
            while try await storage.purge() > 0 {}
            #expect(try await storage.tryProofAndRedeem("one", .wrong)?.triesLeft == 0)
            clock.pass(Limits.headLife + Limits.minute)
            while try await storage.purge() > 0 {}
            #expect(try await storage.tryProofAndRedeem("one", .wrong)?.triesLeft == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a flood of unknown ids leaves a known count alone`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            for _ in 0..<3 { try await storage.tryProofAndRedeem("one", .wrong) }
            for number in 0..<300 {
                clock.pass(1)
                try await storage.tryProofAndRedeem("unknown \(number)", .wrong)
            }
            #expect(try await storage.tryProofAndRedeem("one", .good)?.lockedSeconds != nil)
            #expect(try await storage.tryProofAndRedeem("unknown 0", .wrong)?.triesLeft == 2)
            #expect(try await storage.tryProofAndRedeem("unknown 299", .wrong)?.triesLeft == 1)
        }
    }
}

/// Runs `body` so many times at once, and counts how often it returns true.
func count(_ times: Int, _ body: @escaping @Sendable (Int) async throws -> Bool) async throws -> Int {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<times {
            group.addTask {
                // On a slow disk a replica may wait for another one for longer than its time limit.
                while true { do { return try await body(number) } catch StorageError.busy {} }
            }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
}
