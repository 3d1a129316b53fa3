// SPDX-License-Identifier: Apache-2.0
// What strangers can do to an owner who comes from a new address, for how long, and what it brings them.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

@Suite(.slow) struct StrangeTriesTests {
    /// Wrong PINs from new sources, ten a day, for so many days; the number of those that were verified.
    @discardableResult
    private func attack(_ storage: ServerDatabase, _ clock: TestClock, days: Int) async throws -> Int {
        var looked = 0
        for day in 0..<days {
            for number in 0..<10 {
                let source = "\(clock.milliseconds) \(day) \(number)"
                let begun = try await storage.tryProofAndRedeem("one", .wrong, from: source)
                if begun?.lockedSeconds == nil { looked += 1 }
            }
            clock.pass(Limits.day)
        }
        return looked
    }

    @Test(arguments: Engine.allCases)
    func `strangers who tried a hundred PINs cannot close new addresses for ever`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            #expect(try await attack(storage, clock, days: 12) == 100)
            let refused = try await storage.tryProofAndRedeem("one", .good, from: "new")
            let wait = (Limits.strangeTriesSpan - 12 * Limits.day) / Limits.second
            #expect(refused?.lockedSeconds == UInt32(wait))
            let lock = try #require(try await storage.user("alice")?.locks.first)
            #expect(lock.until == clock.milliseconds + wait * Limits.second)
            clock.pass(wait * Limits.second)
            while try await storage.purge() > 0 {}
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "new")?.lockedSeconds == nil)
        }
    }

    @Test func `strangers who go on for two years get four or five hundred tries a year`() async throws {
        try await withStorage(.memory) { storage, clock in
            _ = try await storage.enroll("one")
            for _ in 0..<2 {
                #expect((400...500).contains(try await attack(storage, clock, days: 365)))
                while try await storage.purge() > 0 {}
            }
            #expect(try await storage.user("alice")?.strangeTries == [octets("one"): 100])
        }
    }

    @Test(arguments: Engine.allCases)
    func `the last two sources of an owner who was away for a year less a day are known, a third is not`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            for source in ["third", "home", "work"] {
                clock.pass(Limits.second)
                try await storage.tryProofAndRedeem("one", .good, from: source)
            }
            clock.pass(364 * Limits.day)
            while try await storage.purge() > 0 {}
            try await attack(storage, clock, days: 1)
            clock.pass(-Limits.day)
            for (source, isKnown) in [("third", false), ("home", true), ("work", true)] {
                let begun = try await storage.tryProofAndRedeem("one", .wrong, from: source)
                #expect((begun?.lockedSeconds == nil) == isKnown, "\(source)")
            }
            clock.pass(Limits.day)
            try await attack(storage, clock, days: 1)
            clock.pass(-Limits.day)
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "home")?.lockedSeconds != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a source that was strange does not become known by wrong PINs from it`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            try await storage.tryProofAndRedeem("one", .good, from: "home")
            for _ in 0..<2 { try await storage.tryProofAndRedeem("one", .wrong, from: "stranger") }
            clock.pass(Limits.minute)
            try await attack(storage, clock, days: 1)
            clock.pass(-Limits.day)
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "stranger")?.lockedSeconds != nil)
            #expect(try await storage.tryProofAndRedeem("one", .good, from: "home")?.lockedSeconds == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `owner and administrator are warned once when strangers have made fifty wrong tries`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            try await storage.tryProofAndRedeem("one", .good, from: "home")
            let warning = AuditEvent(kind: "pin.strangers", subject: "one")
            func tryWrong(_ number: Int) async throws {
                let source = "s\(number)"
                try await storage.keepPassOne(passOne("one", from: source), key: .n(octets("n")))
                let begun = try await storage.beginVerification(id: octets("one"), key: .n(octets("n")))
                try await storage.finishVerification(
                    verdict("one", .wrong, from: source, begun), warning: warning)
                _ = try await storage.redeemProof()
            }
            func told() async throws -> UInt16? {
                _ = try await storage.tryProof("one", .good, from: "home")
                return try await storage.redeemProof()?.tries.scarce
            }
            for number in 1...60 {
                try await tryWrong(number)
                if number.isMultiple(of: 10) { clock.pass(Limits.day) }
                let warnings = try await storage.recorded().count { $0 == warning }
                #expect(warnings == (number < 50 ? 0 : 1), "\(number)")
                if number >= 48 { #expect(try await told() == (number < 50 ? nil : UInt16(100 - number))) }
            }
            #expect(try await storage.user("alice")?.strangeTries == [octets("one"): 60])
        }
    }

    @Test(arguments: Engine.allCases)
    func `what a device has approved makes its place known to the PINs of its user on that host only`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            for (label, userID, kind) in [
                ("one", "alice", IdentityKind.onHost), ("phone", "alice", .bound), ("two", "bob", .onHost),
                ("three", "alice", .host(HostEnrolment(host: "other", epoch: 1, a: octets("A")))),
            ] {
                #expect(try await storage.enroll(label, of: userID, kind: kind) != nil)
            }
            try await storage.openSessions()
            #expect(try await storage.approveConsole(as: "phone"))
            let settled = try await storage.settleSession(a: octets("A")) { _, _ in
                TryOrigin("203.0.113.9", learns: true)
            }
            #expect(settled?.approver?.description.id == octets("phone"))
            for (label, isKnown) in [("one", true), ("two", false), ("three", false)] {
                for number in 0..<10 {
                    try await storage.tryProofAndRedeem(label, .wrong, from: "\(number)")
                }
                let begun = try await storage.tryProofAndRedeem(label, .good, from: "203.0.113.9")
                #expect((begun?.lockedSeconds == nil) == isKnown, "\(label)")
            }
        }
    }

    @Test func `a stranger cannot fill the disk with wrong tries of unknown and revoked ids`() async throws {
        let folder = try Folder()
        let clock = TestClock()
        let storage = try folder.open(clock)
        let connection = try SQLiteConnection(.file(folder.database))
        _ = try await storage.enroll("one")
        _ = try await storage.revoke(.user("alice"))
        // As many as strangers may leave; each has a source of its own.
        _ = try connection.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
            INSERT INTO heads (id, source, known, number, failures, locked_until, last_at)
                SELECT CAST(i AS BLOB), i, 0, i, 1, 0, $2 FROM n
            """, [.integer(Limits.unknownHeadsInAll), .integer(clock.milliseconds)])
        for number in 0..<20 {
            let label = number.isMultiple(of: 2) ? "one" : "unknown \(number)"
            try await storage.tryProofAndRedeem(label, .wrong, from: "s\(number)")
        }
        let found = try connection.run("SELECT COUNT(*) FROM heads", [])
        #expect(found == [Row([.integer(Limits.unknownHeadsInAll)])])
        // The newest stay: three in a row are a lock, as against a known id.
        for _ in 0..<3 { try await storage.tryProofAndRedeem("unknown 19", .wrong, from: "s") }
        #expect(try await storage.tryProofAndRedeem("unknown 19", .wrong, from: "s")?.lockedSeconds != nil)
        withExtendedLifetime(folder) {}
    }
}
