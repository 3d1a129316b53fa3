// SPDX-License-Identifier: Apache-2.0
// The closing, which marks a database as closed in order: what it keeps, and what makes it void.
import Foundation
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct ClosingTests {
    @Test func `an orderly restart keeps records that live for seconds`() async throws {
        let folder = try Folder()
        let clock = TestClock()
        var storage = try folder.open(clock)
        _ = try await storage.enroll("one")
        try await storage.tryProof("one", .good)
        try await storage.keepPassOne(passOne("one"), key: .n(octets("n")))
        for _ in 0..<2 {
            await storage.close()
            storage = try folder.open(clock)
        }
        #expect(try await storage.redeemProof()?.verdict.result == .good)
        #expect(try await storage.beginVerification(id: octets("one"), key: .n(octets("n"))) != nil)
    }

    /// As after a loss of power, or with a copy that was restored.
    @Test
    func `without its closing a database keeps long-lived records and voids those that live for seconds`()
        async throws
    {
        let folder = try Folder()
        let live = try ServerDatabase(sqlite: .file(folder.path + "/live.db"))
        var storage = live
        _ = try await storage.enroll("one")
        try await storage.addUser("bob", codeHash: octets("c"), replace: false)
        try await storage.tryProof("one", .wrong)
        try await storage.keepPassOne(passOne("one"), key: .n(octets("n")))
        _ = try await storage.takeNonce(octets("nonce"))
        try await storage.leaveForSeconds("one")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.path + "/live.db" + suffix, toPath: folder.database + suffix)
        }
        storage = try ServerDatabase(sqlite: .file(folder.database))
        #expect(try await storage.redeemProof() == nil)
        #expect(try await storage.use("A", "one") == nil)
        #expect(try await storage.ask("B", ["one"]) == [nil])
        #expect(try await storage.applicationSession("w") == nil)
        #expect(try await storage.takeCode(octets("1")) == nil)
        #expect(try await storage.beginVerification(id: octets("one"), key: .n(octets("n"))) == nil)
        #expect(try await !storage.takeNonce(octets("nonce")))
        #expect(try await storage.tryProof("one", .wrong)?.triesLeft == 1)
        let bob = try await storage.register(request("b", of: "bob"), by: code("c"))
        #expect(bob == .active)
        withExtendedLifetime(live) {}
    }

    @Test(arguments: [
        (Limits.longestBriefLife, true), (0, true), (-1, false), (Limits.longestBriefLife + 1, false),
    ]) func `a closing from the future or too long ago is void`(_ passed: Int64, _ isKept: Bool) async throws
    {
        let folder = try Folder()
        let clock = TestClock()
        var storage = try folder.open(clock)
        _ = try await storage.enroll("one")
        try await storage.tryProof("one", .good)
        await storage.close()
        clock.pass(passed)
        storage = try folder.open(clock)
        // The clock is set back, so that only the opening can have voided anything.
        clock.pass(-passed)
        #expect(try await (storage.redeemProof() != nil) == isKept)
    }

    @Test func `nothing is written after the closing`() async throws {
        let folder = try Folder()
        let clock = TestClock()
        let storage = try ServerDatabase(
            sqlite: .file(folder.database),
            clock: {
                clock.pass(1)
                return clock.milliseconds
            })
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for count in 0..<1000 {
                        if writer == 0, count == 50 { return await storage.close() }
                        let name = "\(writer) \(count)"
                        do { _ = try await storage.look("9", requester(name, network: name)) } catch {
                            return
                        }
                    }
                }
            }
        }
        let connection = try SQLiteConnection(.file(folder.database))
        let late = "SELECT COUNT(*) FROM lookups WHERE at > (SELECT at FROM closings)"
        #expect(try connection.run("SELECT COUNT(*) FROM closings", []) == [Row([.integer(1)])])
        #expect(try connection.run(late, []) == [Row([.integer(0)])])
    }
}
