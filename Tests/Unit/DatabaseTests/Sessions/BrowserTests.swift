// SPDX-License-Identifier: Apache-2.0
// Sessions of browsers: opening, states, one approval, one redemption, results, purge.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct BrowserTests {
    private func opening(
        _ label: String, number: String? = "3232212", from source: String = "198.51.100.7",
        network: String = "198.51.100.0/24"
    ) -> BrowserOpening {
        BrowserOpening(
            wid: label, number: number, account: "a page",
            requester: requester(source, network: network), webOTTHash: octets("web " + label),
            authOTTHash: octets("auth " + label), life: 300 * Limits.second)
    }

    private func approval(_ wid: String, by label: String) -> Approval {
        Approval(
            wid: wid, id: octets(label), source: "192.0.2.1", tokenHash: octets("token " + wid + label))
    }

    @Test(arguments: Engine.allCases)
    func `a session is found by each of its names, as it was opened`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            let start = clock.milliseconds
            let opened = try await storage.openBrowser(opening("one"))
            #expect(opened == .opened(at: start))
            clock.pass(1)
            let record = BrowserRecord(
                wid: "one", account: "a page", source: "198.51.100.7", openedAt: start,
                expiresAt: start + 305 * Limits.second, readAt: start + 1, state: .new, approvedAt: nil,
                approver: nil, result: LoginResult(status: nil))
            for name in [
                BrowserName.session(.wid("one")), .session(.number("3232212")), .webOTT(octets("web one")),
            ] {
                #expect(try await storage.browser(name) == record)
            }
            for name in [
                BrowserName.session(.wid("3232212")), .session(.number("one")), .webOTT(octets("auth one")),
                .session(.wid("")),
            ] {
                #expect(try await storage.browser(name) == nil)
            }
            clock.pass(305 * Limits.second - 1)
            #expect(try await storage.browser(.session(.wid("one")))?.isLive == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `only a proof moves a session to approved, and nothing moves it back`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("alice's")
            _ = try await storage.openBrowser(opening("one"))
            func state(after said: BrowserState) async throws -> BrowserState? {
                try await storage.advanceBrowser(wid: "one", to: said)
                return try await storage.browser(.session(.wid("one")))?.state
            }
            #expect(try await state(after: .scanned) == .scanned)
            #expect(try await state(after: .chosen) == .chosen)
            #expect(try await state(after: .scanned) == .chosen)
            for word in [BrowserState.approved, .redeemed, .loggedOut, .ended] {
                #expect(try await state(after: word) == .chosen)
            }
            #expect(try await storage.approveBrowser(approval("one", by: "alice's")))
            #expect(try await state(after: .chosen) == .approved)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the first approval takes the session, and one redemption within a minute uses it up`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("alice's")
            _ = try await storage.openBrowser(opening("one"))
            let granted = LoginResult(status: 200)
            func redeem(_ label: String) async throws -> BrowserRecord? {
                try await storage.redeemBrowser(authOTTHash: octets("auth " + label), result: granted)
            }
            #expect(try await redeem("one") == nil)
            #expect(try await storage.approveBrowser(approval("one", by: "alice's")))
            #expect(try await storage.approveBrowser(approval("one", by: "bob's")) == false)
            #expect(try await storage.endBrowser(wid: "one", by: octets("bob's")) == false)
            let used = try #require(await redeem("one"))
            #expect(used.approver?.description.id == octets("alice's"))
            #expect(used.result == granted)
            #expect(try await redeem("one") == nil)
            #expect(try await storage.approveBrowser(approval("one", by: "alice's")) == false)
            #expect(try await storage.endBrowser(wid: "one", by: octets("one")) == false)
            _ = try await storage.openBrowser(opening("late", number: nil))
            #expect(try await storage.approveBrowser(approval("late", by: "alice's")))
            clock.pass(Limits.minute)
            #expect(try await redeem("late") == nil)
            // Approved again by the same device: another minute.
            #expect(try await storage.approveBrowser(approval("late", by: "alice's")))
            #expect(try await redeem("late") != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a device revoked or blocked after its approval gets that result, and lets nobody in`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            for (label, status) in [("revoked", 403), ("blocked", 410), ("fine", 200)] {
                _ = try await storage.enroll(label, of: label, kind: .unbound, blockAfter: 1)
                _ = try await storage.openBrowser(opening(label, number: nil))
                #expect(try await storage.approveBrowser(approval(label, by: label)))
                if label == "revoked" { _ = try await storage.revoke(.identity(octets(label))) }
                if label == "blocked" {
                    try await storage.keepPassOne(passOne(label, from: "s"), key: .source("s"))
                    _ = try await storage.beginVerification(id: octets(label), key: .source("s"))
                }
                let used = try await storage.redeemBrowser(
                    authOTTHash: octets("auth " + label), result: LoginResult(status: 200))
                #expect(used != nil)
                let left = try #require(await storage.browser(.session(.wid(label))))
                #expect(left.result.status == status)
                #expect(left.state == (status == 200 ? .redeemed : .ended))
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `the RPA's later result is accepted once, and added to its first one`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("alice's")
            _ = try await storage.openBrowser(opening("one"))
            let hash: TicketHash = octets("auth one")
            let early = LoginResult(status: 200)
            #expect(try await storage.finishBrowser(authOTTHash: hash, result: early) == false)
            _ = try await storage.approveBrowser(approval("one", by: "alice's"))
            #expect(try await storage.finishBrowser(authOTTHash: hash, result: early) == false)
            let first = LoginResult(status: nil, logoutURL: "/logout", logoutData: "1")
            _ = try await storage.redeemBrowser(authOTTHash: hash, result: first)
            let last = LoginResult(status: 403, logoutURL: nil, logoutData: "2")
            #expect(try await storage.finishBrowser(authOTTHash: hash, result: last))
            #expect(try await storage.finishBrowser(authOTTHash: hash, result: early) == false)
            let said = try await storage.browser(.session(.wid("one")))?.result
            #expect(said == LoginResult(status: 403, logoutURL: "/logout", logoutData: "2"))
            #expect(try await storage.takeResult(authOTTHash: hash) == false)
            try await storage.awaitResult(authOTTHash: hash)
            #expect(try await storage.takeResult(authOTTHash: hash))
            #expect(try await storage.takeResult(authOTTHash: hash) == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `sessions are limited by source and in all, and time frees them`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            func open(_ wid: String, _ source: String, _ network: String) async throws -> SessionOpened {
                try await storage.openBrowser(opening(wid, number: nil, from: source, network: network))
            }
            for index in 0..<2000 {
                let opened = try await open("\(index)", "s\(index / 200)", "n\(index / 1000)")
                #expect(opened == .opened(at: clock.milliseconds))
                if index == 199 { #expect(try await open("x", "s0", "n0") == .full) }
            }
            #expect(try await open("x", "s9", "n1") == .full)
            #expect(try await storage.endBrowser(wid: "7", by: octets("x")))
            #expect(try await storage.openBrowser(opening("x")) == .opened(at: clock.milliseconds))
            clock.pass(305 * Limits.second + Limits.endedSessionLife)
            while try await storage.purge() > 0 {}
            #expect(try await storage.browser(.session(.wid("x"))) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a block counts all sources, ends with a login or an unlock, and is only for unbound identities`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("theirs", kind: .unbound, blockAfter: 2)
            _ = try await storage.enroll("ours", of: "bob")
            func begin(_ label: String, _ source: String) async throws -> Verification? {
                try await storage.keepPassOne(passOne(label, from: source), key: .source(source))
                return try await storage.beginVerification(id: octets(label), key: .source(source))
            }
            #expect(try await begin("theirs", "a")?.lockedSeconds == nil)
            #expect(try await begin("theirs", "b")?.lockedSeconds == nil)
            #expect(try await begin("theirs", "c")?.lockedSeconds == .max)
            #expect(try await storage.identity(id: octets("theirs"))?.blockedAt != nil)
            // The second proof turned out to be right.
            try await storage.finishVerification(
                VerdictRecord(
                    authOTTHash: octets("authOTT"), id: octets("theirs"), source: "b", result: .good,
                    purpose: .login, host: nil, hostEpoch: nil, origin: TryOrigin("b"),
                    counting: .untilBlock))
            #expect(try await storage.identity(id: octets("theirs"))?.blockedAt == nil)
            for source in ["a", "b"] { _ = try await begin("theirs", source) }
            #expect(try await begin("theirs", "a")?.lockedSeconds == .max)
            #expect(try await storage.unlock(.user("alice")) == .unlocked)
            #expect(try await begin("theirs", "a")?.lockedSeconds == nil)
            for _ in 0..<2 { #expect(try await begin("ours", "a")?.lockedSeconds == nil) }
            #expect(try await storage.identity(id: octets("ours"))?.blockedAt == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an RPA confirms with its key, but not a user whom an administrator revoked`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            func register(_ label: String, _ userID: String) async throws -> RegistrationOutcome {
                try await storage.register(
                    request(label, of: userID, kind: .unbound),
                    by: .externalRPA(activateKeyHash: octets("key " + label)))
            }
            #expect(try await register("one", "alice") == .waiting)
            #expect(try await storage.activate(id: octets("one"), activateKeyHash: octets("x")) == false)
            #expect(try await storage.issue(id: octets("one"), regOTTHash: octets("ott one")) == nil)
            #expect(try await storage.activate(id: octets("one"), activateKeyHash: octets("key one")))
            // A confirmed registration is not forgotten; an unconfirmed one makes room.
            try await storage.forgetRegistration(id: octets("one"))
            #expect(try await storage.issue(id: octets("one"), regOTTHash: octets("ott one")) != nil)
            for label in 1...2 * Int(Limits.registrationsPerSource) {
                #expect(try await register("n\(label)", "nobody") == .waiting)
                try await storage.forgetRegistration(id: octets("n\(label)"))
            }
            #expect(try await storage.activate(id: octets("n1"), activateKeyHash: octets("key n1")) == false)
            #expect(try await register("late", "alice") == .waiting)
            _ = try await storage.revoke(.user("alice"))
            #expect(
                try await storage.activate(id: octets("late"), activateKeyHash: octets("key late")) == false)
            #expect(try await register("again", "alice") == .refused)
            #expect(
                try await storage.activate(id: octets("again"), activateKeyHash: octets("key again")) == false
            )
            // A refused name takes a place like any other: "again" and nine more are ten.
            for label in 1...9 { #expect(try await register("m\(label)", "bob") == .waiting) }
            for name in ["alice", "bob"] {
                #expect(try await register("over", name) == .full(seconds: 3600))
            }
        }
    }
}
