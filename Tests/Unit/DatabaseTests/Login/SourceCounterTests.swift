// SPDX-License-Identifier: Apache-2.0
// The three counters of a host's PIN: each source, strange sources together, known sources together.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct SourceCounterTests {
    @Test func `no try against a revoked identity is kept`() async throws {
        let folder = try Folder()
        let clock = TestClock()
        let storage = try folder.open(clock)
        let connection = try SQLiteConnection(.file(folder.database))
        func count(_ table: String) throws -> [Row] {
            try connection.run("SELECT COUNT(*) FROM \(table)", [])
        }
        func numbers(tries: Int64, heads: Int64) throws {
            #expect(try count("tries") == [Row([.integer(tries)])])
            #expect(try count("heads") == [Row([.integer(heads)])])
        }
        for label in ["one", "two"] { _ = try await storage.enroll(label, of: label, blockAfter: 9) }
        for label in ["one", "one", "two"] { _ = try await storage.tryProofAndRedeem(label, .wrong) }
        try numbers(tries: 3, heads: 2)
        _ = try await storage.revoke(.user("one"))
        try numbers(tries: 1, heads: 1)
        // Without a verdict, as after a crash in the middle of a login.
        try await storage.keepPassOne(passOne("one"), key: .n(octets("n")))
        #expect(try await storage.beginVerification(id: octets("one"), key: .n(octets("n"))) != nil)
        try numbers(tries: 1, heads: 2)
        clock.pass(Limits.headLife)
        _ = try await storage.purge()
        #expect(try count("tries") == [Row([.integer(1)])])
        #expect(try connection.run("SELECT id FROM heads WHERE id = $1", [.octets(octets("one"))]) == [])
    }

    @Test(arguments: Engine.allCases)
    func `strange sources have ten tries a day together, and the owner logs in throughout`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            try await storage.tryProofAndRedeem("one", .good, from: "192.0.2.1")
            var looked = 0
            for number in 0..<1000 {
                let source = "10.\(number % 250).\(number / 250).1"
                if try await storage.tryProofAndRedeem("one", .wrong, from: source)?.lockedSeconds == nil {
                    looked += 1
                }
                if number.isMultiple(of: 50) {
                    let owner = try await storage.tryProofAndRedeem("one", .good, from: "192.0.2.1")
                    #expect(owner?.lockedSeconds == nil)
                }
            }
            #expect(looked == 10)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of fifty concurrent proofs from strange sources ten are verified`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            clock.pass(Limits.registrationLife)
            for number in 0..<50 {
                try await storage.keepPassOne(
                    passOne("one", from: "s\(number)"), key: .n(octets("n\(number)")))
            }
            clock.pass(-Limits.registrationLife)
            let looked = try await count(50) { number in
                let begun = try await storage.beginVerification(
                    id: octets("one"), key: .n(octets("n\(number)")))
                return try #require(begun).lockedSeconds == nil
            }
            #expect(looked == 10)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a refused strange source gets the time of its next try, for right and wrong PINs`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            for number in 0..<10 {
                try await storage.tryProofAndRedeem("one", .wrong, from: "s\(number)")
                clock.pass(Limits.minute)
            }
            for result in [ProofResult.good, .wrong] {
                let begun = try await storage.tryProofAndRedeem("one", result, from: "another")
                #expect(begun?.lockedSeconds == UInt32((Limits.day - 10 * Limits.minute) / Limits.second))
            }
            clock.pass(Limits.day - 10 * Limits.minute)
            #expect(try await storage.tryProofAndRedeem("one", .wrong, from: "another")?.lockedSeconds == nil)
            #expect(try await storage.tryProofAndRedeem("one", .wrong, from: "another")?.lockedSeconds == 60)
        }
    }

    @Test(arguments: Engine.allCases)
    func `strangers at the machine and strangers on the network have separate tries`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            for number in 0..<10 { try await storage.tryProofAndRedeem("one", .wrong, from: "s\(number)") }
            #expect(try await storage.tryProofAndRedeem("one", .wrong, from: "s10")?.lockedSeconds != nil)
            #expect(
                try await storage.tryProofAndRedeem("one", .wrong, from: "local:1001")?.lockedSeconds == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `ten strange tries a day for twelve days close new sources, but never the owner's own`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            try await storage.tryProofAndRedeem("one", .good, from: "192.0.2.1")
            var looked = 0
            for day in 0..<12 {
                for number in 0..<10 {
                    let begun = try await storage.tryProofAndRedeem("one", .wrong, from: "d\(day) s\(number)")
                    if begun?.lockedSeconds == nil { looked += 1 }
                }
                let owner = try await storage.tryProof("one", .good, from: "192.0.2.1")
                #expect(owner?.lockedSeconds == nil)
                let redeemed = try await storage.redeemProof()
                #expect(redeemed?.identity?.blockedAt == nil)
                #expect(redeemed?.wrongTries?.count == (day < 10 ? 10 : nil))
                clock.pass(Limits.day)
            }
            #expect(looked == 100)
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "new")?.lockedSeconds != nil)
            #expect(try await storage.unlock(.user("alice")) == .unlocked)
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "new")?.lockedSeconds == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a hundred wrong tries from known sources block the PIN`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            for source in ["a", "b"] { try await storage.tryProofAndRedeem("one", .good, from: source) }
            for number in 1...100 {
                clock.pass(Limits.hour)
                let source = number.isMultiple(of: 2) ? "a" : "b"
                #expect(
                    try await storage.tryProofAndRedeem("one", .wrong, from: source)?.lockedSeconds == nil)
            }
            clock.pass(Limits.day)
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "a")?.lockedSeconds == .max)
            #expect(try await storage.identity(id: octets("one"))?.blockedAt != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a source stays known for 90 days after a login from it, and 64 sources do`(_ engine: Engine)
        async throws
    {
        let others = ["other", "another"]
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            func spoil() async throws {
                for number in 0..<10 {
                    try await storage.tryProofAndRedeem("one", .wrong, from: "x\(number)")
                }
            }
            try await storage.tryProofAndRedeem("one", .good, from: "home")
            try await spoil()
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "home")?.lockedSeconds == nil)
            // The last two sources stay known longer.
            clock.pass(Limits.day)
            for source in others { try await storage.tryProofAndRedeem("one", .good, from: source) }
            clock.pass(Limits.knownSourceLife - Limits.day)
            try await spoil()
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "home")?.lockedSeconds != nil)
            clock.pass(Limits.day)
            for number in 0..<64 {
                clock.pass(Limits.second)
                try await storage.tryProofAndRedeem("one", .good, from: "home \(number)")
            }
            try await spoil()
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "home 0")?.lockedSeconds == nil)
            clock.pass(Limits.day)
            try await storage.tryProofAndRedeem("one", .good, from: "one more")
            try await spoil()
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "home 1")?.lockedSeconds != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an enrolment makes its source known`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.addUser("alice", codeHash: octets("code"), replace: false)
            let asked = RegistrationRequest(
                description: description("one", kind: .onHost), regOTTHash: octets("ott one"),
                requester: requester("192.0.2.1"), origin: TryOrigin("local:1000"))
            #expect(try await storage.register(asked, by: .code(hash: octets("code"), codeTry())) == .active)
            #expect(try await storage.issue(id: octets("one"), regOTTHash: octets("ott one")) != nil)
            for number in 0..<10 {
                try await storage.tryProofAndRedeem("one", .wrong, from: "local:\(2000 + number)")
            }
            #expect(
                try await storage.tryProofAndRedeem("one", .good, from: "local:3000")?.lockedSeconds != nil)
            #expect(
                try await storage.tryProofAndRedeem("one", .good, from: "local:1000")?.lockedSeconds == nil)
        }
    }
}
