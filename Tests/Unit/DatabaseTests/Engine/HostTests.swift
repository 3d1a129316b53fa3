// SPDX-License-Identifier: Apache-2.0
// Login hosts: epochs, join codes, rotation, removal.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct HostTests {
    private func join(_ label: String) -> JoinCodeRecord {
        JoinCodeRecord(joinID: Array(octets(label).prefix(16)), sealedKey: octets("sealed " + label))
    }

    @Test(arguments: Engine.allCases)
    func `a host is added once and joins once`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            #expect(try await storage.addHost("prod-db1", join: join("one")) == 1)
            #expect(try await storage.addHost("prod-db1", join: join("two")) == nil)
            let host = try await storage.host("prod-db1")
            #expect(host?.epochs == [1])
            #expect(host?.joinExpiresAt == (host?.addedAt ?? 0) + Limits.codeLife)
            let joined = try await storage.takeJoin(host: "prod-db1", joinID: join("one").joinID)
            #expect(joined == Join(epoch: 1, sealedKey: join("one").sealedKey))
            #expect(try await storage.takeJoin(host: "prod-db1", joinID: join("one").joinID) == nil)
            #expect(try await storage.host("prod-db1")?.joinExpiresAt == nil)
            #expect(try await storage.host("prod-db2") == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a join code lives a day, is good for its own host only, and wrong ones do not void it`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            for name in ["a", "b", "c", "d"] { _ = try await storage.addHost(name, join: join(name)) }
            let stranger = codeTry("203.0.113.1", network: "203.0.113.0/24")
            for _ in 0..<20 {
                let wrong = join("b").joinID
                #expect(try await storage.takeJoin(host: "a", joinID: wrong, tried: stranger) == nil)
            }
            #expect(try await storage.takeJoin(host: "a", joinID: join("a").joinID) != nil)
            // The right code is good from there too.
            let right = join("b").joinID
            #expect(try await storage.takeJoin(host: "b", joinID: right, tried: stranger) != nil)
            #expect(try await storage.takeJoin(host: "c", joinID: join("c").joinID) != nil)
            clock.pass(Limits.codeLife)
            #expect(try await storage.takeJoin(host: "d", joinID: join("d").joinID) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `after a rotation both epochs are valid for seven days`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.addHost("h", join: join("one"))
            #expect(try await storage.rotateHost("h", join: join("two")) == 2)
            #expect(try await storage.takeJoin(host: "h", joinID: join("one").joinID) == nil)
            #expect(try await storage.takeJoin(host: "h", joinID: join("two").joinID)?.epoch == 2)
            #expect(try await storage.host("h")?.epochs == [2, 1])
            #expect(try await storage.host("h")?.keys.map(\.sealedKey) == [2, 1].map { sealedKey($0) ?? [] })
            clock.pass(Limits.previousEpochLife - Limits.minute)
            #expect(try await storage.host("h")?.epochs == [2, 1])
            clock.pass(Limits.minute)
            #expect(try await storage.host("h")?.epochs == [2])
            #expect(try await storage.rotateHost("none", join: join("x")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a second rotation does not cut off a host that missed the first`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.addHost("h", join: join("one"))
            _ = try await storage.rotateHost("h", join: join("lost"))
            #expect(try await storage.rotateHost("h", join: join("three")) == 3)
            #expect(try await storage.host("h")?.epochs == [3, 2, 1])
        }
    }

    @Test(arguments: Engine.allCases)
    func `after a leak no key of an earlier epoch is valid`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.addHost("h", join: join("one"))
            _ = try await storage.addHost("other", join: join("other"))
            _ = try await storage.rotateHost("h", join: join("two"))
            _ = try await storage.rotateHost("other", join: join("other two"))
            #expect(try await storage.rotateHost("h", join: join("three"), hasLeaked: true) == 3)
            #expect(try await storage.host("h")?.epochs == [3])
            #expect(try await storage.host("other")?.epochs == [2, 1])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a rotation without a key changes nothing`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.addHost("h", join: join("one"))
            await #expect(throws: StorageError.refused) {
                try await storage.rotateHost("h", join: join("two"), hasLeaked: true) { _ in nil }
            }
            let first = HostKeyRecord(epoch: 1, sealedKey: sealedKey(1) ?? [])
            #expect(try await storage.host("h")?.keys == [first])
            #expect(try await storage.takeJoin(host: "h", joinID: join("one").joinID)?.epoch == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a removed host is gone at once and never gets an old key again`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.addHost("h", join: join("one"))
            _ = try await storage.rotateHost("h", join: join("two"))
            #expect(try await storage.removeHost("h"))
            #expect(try await !storage.removeHost("h"))
            #expect(try await storage.host("h") == nil)
            #expect(try await storage.rotateHost("h", join: join("x")) == nil)
            #expect(try await storage.takeJoin(host: "h", joinID: join("two").joinID) == nil)
            #expect(try await storage.addHost("h", join: join("three")) == 3)
            #expect(try await storage.host("h")?.epochs == [3])
        }
    }

    @Test(arguments: Engine.allCases)
    func `hosts are listed in pages`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            for name in ["c", "a", "d", "b"] { _ = try await storage.addHost(name, join: join(name)) }
            _ = try await storage.removeHost("c")
            #expect(try await storage.hosts(after: nil, limit: 2).map(\.name) == ["a", "b"])
            #expect(try await storage.hosts(after: "b", limit: 2).map(\.name) == ["d"])
            await #expect(throws: StorageError.refused) { try await storage.addHost("", join: join("x")) }
        }
    }
}
