// SPDX-License-Identifier: Apache-2.0
// Approvals and codes from before a suspension; and the locks and logins that an administrator sees.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct SuspendedSessionTests {
    @Test(arguments: Engine.allCases)
    func `a suspension ends an unused approval, which does not come back`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one", kind: .bound)
            try await storage.openSessions()
            let isApproved = try await storage.approveConsole(as: "one")
            #expect(isApproved)
            _ = try await storage.suspend("alice", until: nil, reason: "")
            #expect(try await storage.session(.wid("w")) == nil)
            _ = try await storage.resume("alice")
            let settled = try #require(try await storage.settleSession(a: octets("A")))
            #expect(settled.approver == nil)
            #expect(settled.session.state == .ended)
        }
    }

    /// The proof was right before the suspension, and the approval is written after it.
    @Test(arguments: Engine.allCases)
    func `nothing is approved after a suspension, so a resumption restores nothing`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one", kind: .bound)
            try await storage.openSessions()
            _ = try await storage.suspend("alice", until: nil, reason: "")
            let forConsole = try await storage.approveConsole(as: "one")
            let forBrowser = try await storage.approveBrowser(as: "one")
            let code = try await storage.keepCode(as: "one")
            #expect(!forConsole && !forBrowser && code == nil)
            _ = try await storage.resume("alice")
            #expect(try await storage.settleSession(a: octets("A"))?.approver == nil)
            #expect(try await storage.grantedSession(a: octets("A")) == nil)
            let redeemed = try await storage.redeemBrowser(
                authOTTHash: octets("auth"), result: LoginResult(status: 200))
            #expect(redeemed == nil)
            #expect(try await storage.takeCode(octets("code")) == nil)
            let isApproved = try await storage.approveConsole(as: "one")
            #expect(isApproved)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a suspension voids an unused authorization code`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one", kind: .bound)
            try await storage.openSessions()
            #expect(try await storage.keepCode(as: "one") != nil)
            _ = try await storage.suspend("alice", until: nil, reason: "")
            _ = try await storage.resume("alice")
            #expect(try await storage.takeCode(octets("code")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `each lock is listed with its end and its source`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            _ = try await storage.enroll("two", kind: .bound)
            #expect(try await storage.user("alice")?.locks == [])
            for _ in 0..<3 { try await storage.tryProofAndRedeem("one", .wrong) }
            clock.pass(1)
            for _ in 0..<3 { try await storage.tryProofAndRedeem("two", .wrong, tagEpoch: 1) }
            let now = clock.milliseconds
            let here = LockRecord(
                id: octets("one"), place: .source("prod-db1 192.0.2.1"), until: now - 1 + Limits.minute)
            let device = LockRecord(id: octets("two"), place: .everywhere, until: now + Limits.minute)
            #expect(try await storage.user("alice")?.locks == [device, here])
            #expect(try await storage.users(after: nil, limit: 1).first?.locks == [device, here])
            clock.pass(Limits.minute)
            #expect(try await storage.user("alice")?.locks == [])
            for number in 0..<7 {
                try await storage.tryProofAndRedeem("one", .wrong, from: "prod-db1 198.51.\(number).1")
            }
            let locks = try #require(try await storage.user("alice")).locks
            #expect(locks.map(\.place) == [.strangers(.network)])
            let end = try #require(locks.first?.until)
            #expect((clock.milliseconds + Limits.hour..<clock.milliseconds + Limits.day).contains(end))
            _ = try await storage.unlock(.user("alice"))
            #expect(try await storage.user("alice")?.locks == [])
        }
    }

    @Test(arguments: Engine.allCases)
    func `the last login is kept with its source, and with the wrong tries since`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            #expect(try await storage.identity(id: octets("one"))?.lastLoginFrom == nil)
            try await storage.tryProofAndRedeem("one", .good, from: "prod-db1 192.0.2.9")
            var identity = try #require(try await storage.identity(id: octets("one")))
            #expect(identity.lastLoginFrom == "prod-db1 192.0.2.9")
            #expect(identity.lastLoginAt == clock.milliseconds)
            #expect(identity.wrongTries == nil)
            for _ in 0..<2 { try await storage.tryProofAndRedeem("one", .wrong, from: "prod-db1 192.0.2.8") }
            identity = try #require(try await storage.identity(id: octets("one")))
            let wrong = WrongTries(count: 2, lastAt: clock.milliseconds, lastSource: "prod-db1 192.0.2.8")
            #expect(identity.wrongTries == wrong)
        }
    }
}
