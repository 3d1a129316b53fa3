// SPDX-License-Identifier: Apache-2.0
// The operations of a sealed login, each of which does several things in one transaction or none of them.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import Synchronization
import TestSupport
import Testing

@Suite(.slow) struct SealedLoginTests {
    private let event = AuditEvent(
        kind: "login", subject: "9c1a022c", host: "prod-db1", fields: [AuditField("way", "pin")])

    @Test(arguments: Engine.allCases)
    func `a sealed pass 1 reads the identity and keeps the record that was made with it`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { (storage, _) async throws in
            _ = try await storage.enroll("one")
            for (label, isKnown) in [("one", true), ("unknown", false)] {
                let isKept = try await storage.keepPassOne(
                    nonce: octets("nonce " + label), id: octets(label), key: .n(octets("n"))
                ) { identity in
                    #expect((identity != nil) == isKnown)
                    return passOne(identity == nil ? "stranger" : label)
                }
                #expect(isKept)
                let id: IdentityHash = octets(isKnown ? label : "stranger")
                let begun = try await storage.beginVerification(id: id, key: .n(octets("n")))
                #expect(begun?.passOne == passOne(isKnown ? label : "stranger"))
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a nonce that was used before keeps no pass 1`(_ engine: Engine) async throws {
        try await withStorage(engine) { (storage, _) async throws in
            let asked = Atomic(0)
            func keep(_ n: String) async throws -> Bool {
                try await storage.keepPassOne(
                    nonce: octets("nonce"), id: octets("one"), key: .n(octets(n))
                ) { _ in
                    asked.add(1, ordering: .relaxed)
                    return passOne("one")
                }
            }
            #expect(try await storage.takeNonce(octets("other")))
            #expect(try await keep("n"))
            #expect(try await !keep("m"))
            #expect(try await !storage.takeNonce(octets("nonce")))
            #expect(asked.load(ordering: .relaxed) == 1)
            #expect(try await storage.beginVerification(id: octets("one"), key: .n(octets("m"))) == nil)
            #expect(try await storage.beginVerification(id: octets("one"), key: .n(octets("n"))) != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a redemption writes its audit record once, and none if it finds nothing`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { (storage, _) async throws in
            _ = try await storage.enroll("one")
            try await storage.tryProof("one", .good)
            let purposes: [VerdictPurpose] = [.login, .question(octets("A")), .question(octets("A"))]
            let ticket: TicketHash = octets("authOTT")
            var redeemed = 0
            for purpose in purposes {
                let found = try await storage.redeem(authOTTHash: ticket, purpose: purpose) { [event] in
                    $0.verdict.result == .good ? event : nil
                }
                if found != nil { redeemed += 1 }
            }
            #expect(redeemed == 1)
            try await storage.tryProof("one", .wrong)
            _ = try await storage.redeem(authOTTHash: ticket, purpose: .question(octets("A"))) { _ in nil }
            let logins = try await storage.auditRecords(AuditQuery(), limit: 9).map(\.event)
                .filter { $0.kind == "login" }
            #expect(logins == [event])
        }
    }

    /// A field with a zero octet cannot be stored.
    @Test(arguments: Engine.allCases)
    func `a ticket whose redemption cannot be recorded stays good`(_ engine: Engine) async throws {
        try await withStorage(engine) { (storage, _) async throws in
            _ = try await storage.enroll("one")
            try await storage.tryProof("one", .good)
            let ticket: TicketHash = octets("authOTT")
            await #expect(throws: StorageError.refused) {
                try await storage.redeem(authOTTHash: ticket, purpose: .question(octets("A"))) { _ in
                    AuditEvent(kind: "login", subject: "a\u{0}b")
                }
            }
            #expect(try await storage.redeemProof() != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a redemption has the key that sealed the question, if the host still has it`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { (storage, clock) async throws in
            let join = JoinCodeRecord(joinID: [1], sealedKey: [2])
            func key() async throws -> HostKeyRecord? {
                try await storage.tryProof("one", .good)
                return try await storage.redeemProof()?.hostKey
            }
            _ = try await storage.enroll("one")
            #expect(try await key() == nil)
            _ = try await storage.addHost("prod-db1", join: join)
            let first = HostKeyRecord(epoch: 1, sealedKey: try #require(sealedKey(1)))
            #expect(try await key() == first)
            _ = try await storage.rotateHost("prod-db1", join: join)
            #expect(try await key() == first)
            clock.pass(Limits.previousEpochLife)
            #expect(try await key() == nil)
            _ = try await storage.removeHost("prod-db1")
            _ = try await storage.addHost("prod-db1", join: join)
            #expect(try await key() == nil)
        }
    }
}
