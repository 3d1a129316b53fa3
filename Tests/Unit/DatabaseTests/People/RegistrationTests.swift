// SPDX-License-Identifier: Apache-2.0
// Registration by code, by confirmation and by login; the issue of the client secret.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

@Suite(.slow) struct RegistrationTests {
    @Test(arguments: Engine.allCases)
    func `the right code makes a registration that is issued once`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            let enrolment = IdentityKind.host(HostEnrolment(host: "prod-db1", epoch: 1, a: octets("A")))
            let issue = try await storage.enroll("one", kind: enrolment)
            #expect(issue?.identity.description == description("one", kind: enrolment))
            #expect(issue?.identity.revokedAt == nil)
            #expect(issue?.revoked == [])
            #expect(try await storage.identity(id: octets("one")) == issue?.identity)
            #expect(try await storage.issue(id: octets("one"), regOTTHash: octets("ott one")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `every kind of enrolment is read back as it was written`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            let host = IdentityKind.host(HostEnrolment(host: "bücher", epoch: 1, a: octets("A")))
            for (label, kind) in [("h", host), ("b", .bound), ("u", .unbound)] {
                _ = try await storage.enroll(label, kind: kind)
                #expect(try await storage.identity(id: octets(label))?.description.kind == kind)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `any number of wrong codes from other sources does not void the right one`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            try await storage.addUser("alice", codeHash: octets("right"), replace: false)
            for number in 0..<200 {
                let stranger = codeTry("198.51.\(number).1", network: "198.51.\(number).0/24")
                let outcome = try await storage.register(request("x"), by: code("w", by: stranger))
                #expect(outcome == .refused)
            }
            #expect(try await storage.users(after: nil, limit: 9).first?.codeExpiresAt != nil)
            #expect(try await storage.register(request("y"), by: code("right")) == .active)
        }
    }

    @Test(arguments: Engine.allCases)
    func `wrong codes from a shared address do not make the right code useless there`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            clock.pass(Limits.hour - clock.milliseconds % Limits.hour)
            try await storage.addUser("alice", codeHash: octets("right"), replace: false)
            func outcome(_ label: String, _ source: Int) async throws -> RegistrationOutcome {
                try await storage.register(
                    request("\(label) \(source)"), by: code(label, by: codeTry("192.0.2.\(source)")))
            }
            for _ in 0..<20 { #expect(try await outcome("right", 1) == .active) }
            for _ in 0..<9 { #expect(try await outcome("w", 1) == .refused) }
            #expect(try await outcome("right", 1) == .active)
            #expect(try await outcome("w", 1) == .refused)
            // Ten are counted for a source, fifty for a network, and right ones never.
            for source in 1...61 { #expect(try await outcome("w", source) == .refused) }
            for source in [1, 2, 99] { #expect(try await outcome("right", source) == .active) }
            let far = codeTry("203.0.113.1", network: "203.0.113.0/24")
            #expect(try await storage.register(request("far"), by: code("right", by: far)) == .active)
            clock.pass(Limits.hour)
            #expect(try await outcome("right", 1) == .active)
        }
    }

    @Test(arguments: Engine.allCases)
    func `wrong codes of a source leave one audit record an hour`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            clock.pass(Limits.hour - clock.milliseconds % Limits.hour)
            try await storage.addUser("alice", codeHash: octets("right"), replace: false)
            for label in ["right", "w", "w", "right", "w"] + Array(repeating: "w", count: 20) {
                _ = try await storage.register(request("x \(label)"), by: code(label))
            }
            _ = try await storage.takeJoin(host: "none", joinID: [1])
            #expect(try await storage.recorded() == [codeTry().event])
            clock.pass(Limits.hour)
            _ = try await storage.takeJoin(host: "none", joinID: [1])
            _ = try await storage.takeJoin(host: "none", joinID: [1])
            #expect(try await storage.recorded().count == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a code is not valid under another name, and such tries do not void it`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.addUser("alice", codeHash: octets("right"), replace: false)
            let stolen = request("m", of: "mallory")
            for _ in 0..<9 {
                #expect(try await storage.register(stolen, by: code("right")) == .refused)
            }
            #expect(try await storage.register(request("a"), by: code("right")) == .active)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a code for an unknown name opens nothing`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            for hash in [.zero, octets("any")] as [OneTimeCodeHash] {
                let outcome = try await storage.register(
                    request("x", of: "nobody"), by: .code(hash: hash, codeTry()))
                #expect(outcome == .refused)
            }
            await #expect(throws: StorageError.refused) {
                try await storage.register(request("x", of: ""), by: .code(hash: .zero, codeTry()))
            }
            await #expect(throws: StorageError.refused) {
                try await storage.addUser("", codeHash: octets("c"), replace: false)
            }
            #expect(try await storage.users(after: nil, limit: 9) == [])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a code and a registration expire`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            clock.pass(Limits.codeLife - Limits.minute)
            #expect(try await storage.register(request("a"), by: code("c")) == .active)
            clock.pass(2 * Limits.minute)
            #expect(try await storage.register(request("b"), by: code("c")) == .refused)
            #expect(try await storage.registration(id: octets("a"), regOTTHash: octets("ott a")) != nil)
            clock.pass(Limits.registrationLife)
            #expect(try await storage.registration(id: octets("a"), regOTTHash: octets("ott a")) == nil)
            #expect(try await storage.issue(id: octets("a"), regOTTHash: octets("ott a")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `until the secret is issued the same code replaces its registration`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            #expect(try await storage.register(request("a"), by: code("c")) == .active)
            #expect(try await storage.register(request("b"), by: code("c")) == .active)
            #expect(try await storage.issue(id: octets("a"), regOTTHash: octets("ott a")) == nil)
            #expect(try await storage.issue(id: octets("b"), regOTTHash: octets("ott b")) != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a new code voids the old one and what was registered with it`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.addUser("alice", codeHash: octets("old"), replace: false)
            #expect(try await storage.register(request("a"), by: code("old")) == .active)
            try await storage.addUser("alice", codeHash: octets("new"), replace: false)
            #expect(try await storage.issue(id: octets("a"), regOTTHash: octets("ott a")) == nil)
            #expect(try await storage.register(request("b"), by: code("old")) == .refused)
            #expect(try await storage.register(request("b"), by: code("new")) == .active)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a wrong regOTT deletes nothing`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            _ = try await storage.register(request("a"), by: code("c"))
            for _ in 0..<20 {
                #expect(try await storage.issue(id: octets("a"), regOTTHash: octets("junk")) == nil)
                #expect(
                    try await storage.renewRegistration(id: octets("a"), regOTTHash: octets("junk")) == nil)
            }
            #expect(try await storage.issue(id: octets("a"), regOTTHash: octets("ott a")) != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a renewed registration lives for a full hour again`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            _ = try await storage.register(request("a"), by: code("c"))
            clock.pass(Limits.registrationLife - Limits.minute)
            let renewed = try await storage.renewRegistration(id: octets("a"), regOTTHash: octets("ott a"))
            #expect(renewed?.active == true)
            clock.pass(Limits.registrationLife - Limits.minute)
            #expect(try await storage.issue(id: octets("a"), regOTTHash: octets("ott a")) != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a registration cannot take an id that exists`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("a")
            try await storage.addUser("mallory", codeHash: octets("m"), replace: false)
            _ = try await storage.register(request("a", of: "mallory"), by: code("m"))
            await #expect(throws: StorageError.refused) {
                try await storage.issue(id: octets("a"), regOTTHash: octets("ott a"))
            }
            #expect(try await storage.identity(id: octets("a"))?.description.userID == "alice")
        }
    }

    @Test(arguments: Engine.allCases)
    func `older identities stay, unless the code was made to replace them`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            #expect(try await storage.enroll("two")?.revoked == [])
            _ = try await storage.enroll("other", of: "bob")
            #expect(
                Set(try await storage.enroll("three", replace: true)?.revoked ?? []) == [
                    octets("one"), octets("two"),
                ])
            #expect(try await storage.identity(id: octets("one"))?.revokedAt != nil)
            #expect(try await storage.identity(id: octets("three"))?.revokedAt == nil)
            #expect(try await storage.identity(id: octets("other"))?.revokedAt == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an issue that cannot be recorded fails`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.addUser("alice", codeHash: octets("c"), replace: false)
            _ = try await storage.register(request("one"), by: code("c"))
            await #expect(throws: StorageError.refused) {
                try await storage.issue(
                    id: octets("one"), regOTTHash: octets("ott one"), deviceEpoch: 1, pushToken: ""
                ) { _ in AuditEvent(kind: "a\0", subject: "") }
            }
            #expect(try await storage.identity(id: octets("one")) == nil)
            #expect(try await storage.users(after: nil, limit: 1).first?.codeExpiresAt != nil)
            #expect(try await storage.issue(id: octets("one"), regOTTHash: octets("ott one")) != nil)
            #expect(try await storage.recorded().count == 1)
        }
    }
}
