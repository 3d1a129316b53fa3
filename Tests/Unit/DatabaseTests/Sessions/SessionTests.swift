// SPDX-License-Identifier: Apache-2.0
// Sessions of consoles: opening, look-up, one approval, one use, end, purge.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct SessionTests {
    private func opening(
        _ label: String, number: String = "3232212", on host: String = "prod-db1", from source: String = "",
        network: String = "n", life: UnixMilliseconds = Limits.sessionLife
    ) -> SessionOpening {
        SessionOpening(
            wid: label, number: number, host: host, hostEpoch: 3,
            requester: requester(host + "/" + source, network: host + "/" + network),
            a: octets("A " + label), question: Array("ask \(label)".utf8), life: life)
    }

    private func approval(_ wid: String, by label: String, from source: String = "192.0.2.1") -> Approval {
        Approval(wid: wid, id: octets(label), source: source, tokenHash: octets("token " + wid + label))
    }

    @Test(arguments: Engine.allCases)
    func `a session is found by wid and number until its life ends`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            let start = clock.milliseconds
            let opened = try await storage.openSession(opening("one"))
            #expect(opened == .opened(at: start))
            clock.pass(1)
            let record = SessionRecord(
                wid: "one", host: "prod-db1", hostEpoch: 3, a: octets("A one"),
                question: Array("ask one".utf8),
                openedAt: start, expiresAt: start + Limits.sessionLife, readAt: start + 1, state: .open,
                approvedBy: nil)
            #expect(try await storage.session(.wid("one")) == record)
            #expect(try await storage.session(.number("3232212")) == record)
            for name in [SessionName.wid("3232212"), .number("one"), .wid(""), .number("")] {
                #expect(try await storage.session(name) == nil)
            }
            clock.pass(Limits.sessionLife - 1)
            #expect(try await storage.session(.wid("one")) == nil)
            #expect(try await storage.session(.number("3232212")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a number belongs to one live session and is free after it`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.openSession(opening("one"))
            #expect(try await storage.openSession(opening("two", on: "build-7")) == .numberTaken)
            #expect(try await storage.session(.wid("two")) == nil)
            #expect(try await storage.endSession(.number("3232212"), a: octets("A one"), by: nil))
            #expect(try await storage.openSession(opening("two")) == .opened(at: clock.milliseconds))
            clock.pass(Limits.sessionLife)
            #expect(try await storage.openSession(opening("three")) == .opened(at: clock.milliseconds))
            #expect(try await storage.session(.number("3232212"))?.wid == "three")
        }
    }

    @Test(arguments: Engine.allCases)
    func `one source can take twenty of a host's sessions and leaves the rest`(_ engine: Engine) async throws
    {
        try await withStorage(engine) { storage, clock in
            for index in 0..<20 {
                _ = try await storage.openSession(opening("\(index)", number: "\(index)", from: "local:1000"))
            }
            let more = opening("more", number: "20", from: "local:1000")
            #expect(try await storage.openSession(more) == .full)
            let other = opening("other", number: "21", from: "local:1001")
            #expect(try await storage.openSession(other) == .opened(at: clock.milliseconds))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a host has two hundred live sessions, whoever opens them`(_ engine: Engine) async throws {
        try await withStorage(engine) { (storage, clock) async throws in
            let isOpened = SessionOpened.opened(at: clock.milliseconds)
            func open(
                _ wid: String, _ number: Int, on host: String = "prod-db1", from source: String,
                _ network: String
            ) async throws -> SessionOpened {
                try await storage.openSession(
                    opening(wid, number: "\(number)", on: host, from: source, network: network))
            }
            for index in 0..<200 {
                #expect(
                    try await open("\(index)", index, from: "\(index / 20)", "\(index / 100)") == isOpened)
            }
            #expect(try await open("next", 200, from: "9", "1") == .full)
            #expect(try await open("other", 200, on: "build-7", from: "a", "0") == isOpened)
            #expect(try await storage.endSession(.wid("7"), a: octets("A 7"), by: nil))
            #expect(try await open("next", 201, from: "a", "2") == isOpened)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the first approval takes the session, and the console's first question uses it up`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("alice's")
            _ = try await storage.openSession(opening("one"))
            #expect(try await storage.settleSession(a: octets("A one"))?.approver == nil)
            #expect(try await storage.approve(approval("one", by: "alice's")))
            #expect(try await storage.approve(approval("one", by: "alice's")))
            #expect(try await storage.approve(approval("one", by: "bob's")) == false)
            #expect(try await storage.session(.wid("one"))?.state == .approved)
            let settled = try #require(await storage.settleSession(a: octets("A one")))
            #expect(settled.session.state == .approved)
            #expect(settled.approver?.description.id == octets("alice's"))
            let again = try #require(await storage.settleSession(a: octets("A one")))
            #expect(again.session.state == .granted)
            #expect(again.approver == nil)
            #expect(try await storage.session(.wid("one")) == nil)
            #expect(try await storage.approve(approval("one", by: "alice's")) == false)
            #expect(try await storage.endSession(.wid("one"), a: octets("A one"), by: nil) == false)
            #expect(try await storage.settleSession(a: octets("A two")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a session that has ended or expired cannot be approved, settled or ended again`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("alice's")
            _ = try await storage.openSession(opening("ended", number: "1"))
            _ = try await storage.openSession(opening("late", number: "2"))
            #expect(try await storage.endSession(.wid("ended"), a: octets("A late"), by: nil) == false)
            #expect(try await storage.approve(approval("ended", by: "alice's")))
            #expect(try await storage.endSession(.wid("ended"), a: octets("A ended"), by: nil))
            #expect(try await storage.endSession(.wid("ended"), a: octets("A ended"), by: nil) == false)
            #expect(try await storage.approve(approval("ended", by: "alice's")) == false)
            #expect(try await storage.settleSession(a: octets("A ended"))?.session.state == .ended)
            #expect(try await storage.approve(approval("late", by: "alice's")))
            clock.pass(Limits.sessionLife)
            #expect(try await storage.settleSession(a: octets("A late"))?.approver == nil)
            #expect(try await storage.approve(approval("late", by: "alice's")) == false)
            #expect(try await storage.endSession(.wid("late"), a: octets("A late"), by: nil) == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an approval by a user who was revoked since is used up and cannot be logged out`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("alice's")
            _ = try await storage.openSession(opening("one"))
            #expect(try await storage.approve(approval("one", by: "alice's")))
            _ = try await storage.revoke(.user("alice"))
            #expect(try await storage.settleSession(a: octets("A one"))?.approver?.revokedAt != nil)
            #expect(try await storage.settleSession(a: octets("A one"))?.session.state == .ended)
            #expect(try await storage.logOut(tokenHash: octets("token onealice's"), userID: "alice") == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a granted session is logged out once, by token and name`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("alice's")
            _ = try await storage.openSession(opening("one"))
            #expect(try await storage.approve(approval("one", by: "alice's")))
            let token: SessionTokenHash = octets("token onealice's")
            #expect(try await storage.logOut(tokenHash: token, userID: "alice") == nil)
            _ = try await storage.settleSession(a: octets("A one"))
            #expect(try await storage.logOut(tokenHash: token, userID: "bob") == nil)
            #expect(try await storage.logOut(tokenHash: octets("x"), userID: "alice") == nil)
            let ended = try #require(await storage.logOut(tokenHash: token, userID: "alice"))
            #expect(ended.state == .loggedOut)
            #expect(ended.approvedBy == octets("alice's"))
            #expect(try await storage.logOut(tokenHash: token, userID: "alice") == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a verdict for a session is redeemed, whichever session it was made for`(_ engine: Engine)
        async throws
    {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            for (purpose, isSession) in [
                (VerdictPurpose.session("a0a1"), true), (.session(""), true), (.login, false),
                (.question(octets("A")), false),
            ] {
                let verdict = VerdictRecord(
                    authOTTHash: octets("authOTT"), id: octets("one"), source: "s", result: .good,
                    purpose: purpose, host: nil, hostEpoch: nil, origin: TryOrigin("s"), counting: .bySource)
                try await storage.finishVerification(verdict)
                let redeemed = try await storage.redeemForSession(authOTTHash: octets("authOTT"))
                #expect(redeemed?.verdict == (isSession ? verdict : nil))
                let rest = try await storage.redeem(authOTTHash: octets("authOTT"), purpose: purpose)
                #expect((rest == nil) == isSession)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `look-ups are counted by source and wrong ones by network`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("alice's")
            _ = try await storage.openSession(opening("known", number: "1"))
            #expect(try await storage.approve(approval("known", by: "alice's", from: "home")))
            _ = try await storage.openSession(opening("one", life: Limits.day))
            func find(_ number: String, _ source: String, _ network: String) async throws -> Bool {
                try await storage.look(number, requester(source, network: network)) != nil
            }
            for _ in 0..<10 { #expect(try await find("3232212", "a", "n")) }
            #expect(try await find("3232212", "a", "n") == false)
            #expect(try await find("3232212", "b", "n"))
            for index in 0..<50 { #expect(try await find("9", "s\(index)", "n") == false) }
            #expect(try await find("3232212", "c", "n") == false)
            #expect(try await find("3232212", "home", "n"))
            #expect(try await find("3232212", "c", "m"))
            clock.pass(Limits.hour)
            #expect(try await find("3232212", "c", "n"))
        }
    }

    @Test(arguments: Engine.allCases)
    func `if only misses count, nothing is found after ten of them, and hits are unlimited`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.openSession(opening("one", life: Limits.day))
            func find(_ number: String, counting: CountedLookUps = .misses) async throws -> Bool {
                try await storage.look(number, requester("a"), counting) != nil
            }
            for _ in 0..<10 { #expect(try await find("3232212", counting: .all)) }
            for _ in 0..<20 { #expect(try await find("3232212")) }
            for _ in 0..<10 {
                #expect(try await find("3232212"))
                #expect(try await find("9") == false)
            }
            #expect(try await find("3232212") == false)
            clock.pass(Limits.minute)
            #expect(try await find("3232212"))
            // Both kinds use the same count.
            for _ in 0..<9 { #expect(try await find("9") == false) }
            #expect(try await find("3232212", counting: .all))
            #expect(try await find("3232212", counting: .all) == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `sessions and look-ups are purged in their time`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("alice's", kind: .unbound)
            _ = try await storage.openSession(opening("granted", number: "1"))
            _ = try await storage.openSession(opening("open", number: "2"))
            #expect(try await storage.approve(approval("granted", by: "alice's")))
            _ = try await storage.settleSession(a: octets("A granted"))
            _ = try await storage.look("9", requester("s"))
            clock.pass(Limits.sessionLife + Limits.endedSessionLife - 1)
            _ = try await storage.purge()
            #expect(try await storage.settleSession(a: octets("A open")) != nil)
            clock.pass(1)
            #expect(try await storage.purge() == 1)
            #expect(try await storage.settleSession(a: octets("A open")) == nil)
            clock.pass(Limits.hour)
            #expect(try await storage.purge() == 1)
            clock.pass(Limits.day)
            #expect(try await storage.purge() >= 1)
            #expect(try await storage.settleSession(a: octets("A granted")) == nil)
        }
    }
}
