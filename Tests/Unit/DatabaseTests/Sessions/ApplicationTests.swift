// SPDX-License-Identifier: Apache-2.0
// Applications, their sessions and codes: exact names, lifetimes, limits, one use.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct ApplicationTests {
    private let payroll = ApplicationRecord(
        clientID: "c1", name: "Payroll", redirectURIs: ["https://b/", "https://a/"])

    private func session(
        _ wid: String, of clientID: String = "c1", from source: String = "s", network: String = "n"
    ) -> ApplicationSession {
        ApplicationSession(
            wid: wid, clientID: clientID, redirectURI: "https://a/",
            requester: requester(source, network: network))
    }

    @Test(arguments: Engine.allCases)
    func `each application has a name of its own and is found by its client id`(_ engine: Engine) async throws
    {
        try await withStorage(engine) { storage, _ in
            let isAdded = try await storage.addApplication(payroll)
            #expect(isAdded)
            let other = ApplicationRecord(clientID: "c2", name: "Payroll", redirectURIs: ["x:/"])
            #expect(try await storage.addApplication(other) == false)
            let wiki = ApplicationRecord(clientID: "c2", name: "Agenda", redirectURIs: ["x:/"])
            #expect(try await storage.addApplication(wiki))
            #expect(try await storage.applications(limit: 9) == [wiki, payroll])
            #expect(try await storage.applications(limit: 1) == [wiki])
            #expect(try await storage.application(clientID: "c1") == payroll)
            #expect(try await storage.application(clientID: "C1") == nil)
            #expect(try await storage.removeApplication("Agenda"))
            #expect(try await storage.removeApplication("Agenda") == false)
            #expect(try await storage.application(clientID: "c2") == nil)
            await #expect(throws: StorageError.refused) {
                try await storage.addApplication(
                    ApplicationRecord(clientID: "c3", name: "n", redirectURIs: []))
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a session lives five minutes and brings one code`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            _ = try await storage.addApplication(payroll)
            let start = clock.milliseconds
            for wid in ["w1", "w2"] { #expect(try await storage.openApplicationSession(session(wid))) }
            clock.pass(1)
            #expect(
                try await storage.applicationSession("w1")
                    == LiveApplicationSession(
                        session: session("w1"), application: payroll, openedAt: start,
                        expiresAt: start + 300_000, readAt: start + 1))
            #expect(
                try await storage.keepCode(octets("1"), of: octets("one"), for: .session("w1")) == payroll)
            #expect(try await storage.keepCode(octets("2"), of: octets("one"), for: .session("w1")) == nil)
            #expect(try await storage.applicationSession("w1") == nil)
            clock.pass(299_999)
            #expect(try await storage.applicationSession("w2") == nil)
            #expect(try await storage.keepCode(octets("2"), of: octets("one"), for: .session("w2")) == nil)
            #expect(try await storage.purge() == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the first check uses a code up, and shows whether it was live`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            _ = try await storage.addApplication(payroll)
            for code in ["1", "2"] {
                _ = try await storage.keepCode(octets(code), of: octets("one"), for: .application("c1"))
            }
            #expect(
                try await storage.keepCode(octets("3"), of: octets("one"), for: .application("c2")) == nil)
            clock.pass(59_999)
            let code = try #require(await storage.takeCode(octets("1")))
            #expect(code.isLive)
            #expect([code.clientID, code.redirectURI] == ["c1", "https://b/"])
            #expect(code.identity.description.id == octets("one"))
            #expect(try await storage.takeCode(octets("1")) == nil)
            clock.pass(1)
            #expect(try await storage.takeCode(octets("2"))?.isLive == false)
            #expect(try await storage.takeCode(octets("2")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the sessions of one source are limited and leave room for others`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.addApplication(payroll)
            for number in 0..<256 { _ = try await storage.openApplicationSession(session("w\(number)")) }
            #expect(try await storage.openApplicationSession(session("more")) == false)
            #expect(try await storage.openApplicationSession(session("other", from: "t")))
            clock.pass(Limits.applicationSessionLife)
            #expect(try await storage.openApplicationSession(session("more")))
        }
    }

    @Test(arguments: Engine.allCases)
    func `the sessions of one application leave room for those of others`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.addApplication(payroll)
            let wiki = ApplicationRecord(clientID: "c2", name: "Wiki", redirectURIs: ["https://a/"])
            _ = try await storage.addApplication(wiki)
            func open(
                _ wid: String, of clientID: String = "c1", from source: String, network: String
            ) async throws -> Bool {
                try await storage.openApplicationSession(
                    session(wid, of: clientID, from: source, network: network))
            }
            for number in 0..<2000 {
                #expect(
                    try await open("w\(number)", from: "s\(number / 200)", network: "n\(number / 1000)"))
            }
            #expect(try await open("more", from: "s0", network: "n0") == false)
            #expect(try await open("other", of: "c2", from: "s0", network: "n0"))
            clock.pass(Limits.applicationSessionLife)
            #expect(try await open("more", from: "t", network: "n0"))
        }
    }

    @Test(arguments: Engine.allCases)
    func `removing an application removes its sessions and codes`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.addApplication(payroll)
            _ = try await storage.openApplicationSession(session("w"))
            _ = try await storage.keepCode(octets("1"), of: octets("one"), for: .application("c1"))
            #expect(try await storage.removeApplication("Payroll"))
            #expect(try await storage.applicationSession("w") == nil)
            #expect(try await storage.takeCode(octets("1")) == nil)
            await #expect(throws: StorageError.refused) {
                try await storage.openApplicationSession(session("w"))
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `of a hundred uses of one code, or of one session, one succeeds`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.addApplication(payroll)
            _ = try await storage.openApplicationSession(session("w"))
            let kept = try await count(100) { number in
                try await storage.keepCode(octets("\(number)"), of: octets("one"), for: .session("w")) != nil
            }
            _ = try await storage.keepCode(octets("code"), of: octets("one"), for: .application("c1"))
            let taken = try await count(100) { _ in try await storage.takeCode(octets("code")) != nil }
            #expect([kept, taken] == [1, 1])
        }
    }
}
