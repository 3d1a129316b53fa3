// SPDX-License-Identifier: Apache-2.0
// Registrations that wait for an administrator: how many, how long, and which one is confirmed.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct ConfirmationTests {
    @Test(arguments: Engine.allCases)
    func `waiting registrations are limited by source and in all`(_ engine: Engine) async throws {
        try await withStorage(engine) { (storage, clock) async throws in
            func wait(
                _ number: Int, _ source: String, _ network: String = "n0"
            ) async throws -> RegistrationOutcome {
                try await storage.register(
                    request("r\(number)", of: "user\(number)", from: source, network: network),
                    by: .confirmation)
            }
            for number in 0..<10 { #expect(try await wait(number, "a") == .waiting) }
            clock.pass(10 * Limits.minute)
            #expect(try await wait(10, "a") == .full(seconds: 50 * 60))
            for number in 10..<500 { #expect(try await wait(number, "s\(number / 10)") == .waiting) }
            clock.pass(10 * Limits.minute)
            for number in 500..<1000 { #expect(try await wait(number, "s\(number / 10)", "n1") == .waiting) }
            #expect(try await wait(2000, "s99", "n1") == .full(seconds: 60 * 60))
            #expect(try await wait(2000, "a") == .full(seconds: 40 * 60))
            #expect(try await storage.waitingRegistrations().count == 1000)
            clock.pass(Limits.registrationLife)
            #expect(try await wait(2000, "new") == .waiting)
            #expect(try await storage.waitingRegistrations().map(\.description.userID) == ["user2000"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a registration that is renewed again and again ends a day after it was made`(_ engine: Engine)
        async throws
    {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.register(request("a"), by: .confirmation)
            let made = try #require(try await storage.waitingRegistrations().first).createdAt
            var end: UnixMilliseconds = 0
            for _ in 0..<47 {
                clock.pass(30 * Limits.minute)
                let renewed = try await storage.renewRegistration(
                    id: octets("a"), regOTTHash: octets("ott a"))
                end = try #require(renewed).expiresAt
            }
            #expect(end == made + Limits.day)
            clock.pass(30 * Limits.minute)
            #expect(
                try await storage.renewRegistration(id: octets("a"), regOTTHash: octets("ott a")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a confirmed registration is issued, an unconfirmed one is not`(_ engine: Engine) async throws {
        try await withStorage(engine) { (storage, _) async throws in
            #expect(try await storage.register(request("a"), by: .confirmation) == .waiting)
            #expect(try await storage.issue(id: octets("a"), regOTTHash: octets("ott a")) == nil)
            #expect(try await storage.confirm("bob", idPrefix: octets("a")) == .nobody)
            #expect(try await storage.confirm("alice", idPrefix: octets("a")) == .confirmed(id: octets("a")))
            #expect(try await storage.confirm("alice", idPrefix: octets("a")) == .nobody)
            #expect(try await storage.issue(id: octets("a"), regOTTHash: octets("ott a")) != nil)
            #expect(try await storage.users(after: nil, limit: 9).map(\.userID) == ["alice"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `if several wait under one name, the id chooses`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.register(request("alice's"), by: .confirmation)
            clock.pass(1000)
            _ = try await storage.register(request("alicia's", from: "203.0.113.9"), by: .confirmation)
            let listed = try await storage.waitingRegistrations()
            #expect(listed.map(\.source) == ["192.0.2.1", "203.0.113.9"])
            #expect(listed[1].createdAt - listed[0].createdAt >= 1000)
            let both = Confirmation.several(ids: [octets("alice's"), octets("alicia's")])
            #expect(try await storage.confirm("alice", idPrefix: Array("alic".utf8)) == both)
            #expect(try await storage.confirm("alice", idPrefix: octets("else")) == .nobody)
            let chosen = try await storage.confirm("alice", idPrefix: Array("alice".utf8))
            #expect(chosen == .confirmed(id: octets("alice's")))
            let other = try await storage.issue(id: octets("alicia's"), regOTTHash: octets("ott alicia's"))
            #expect(other == nil)
        }
    }
}
