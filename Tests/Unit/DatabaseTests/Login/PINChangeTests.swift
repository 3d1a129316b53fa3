// SPDX-License-Identifier: Apache-2.0
// A changed PIN: a login made for it registers a new mpinId, whose first login revokes the old one.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

private func at(_ host: String) -> IdentityKind {
    .host(HostEnrolment(host: host, epoch: 1, a: octets("A")))
}

extension ServerDatabase {
    /// Runs a pass 1 and a pass 2 to change the PIN of `label` at prod-db1.
    fileprivate func prove(
        _ label: String, _ result: ProofResult,
        purpose: VerdictPurpose = .changePIN(octets("A"), account: [7])
    ) async throws {
        let source = "prod-db1 192.0.2.1"
        try await keepPassOne(passOne(label), key: .source(source))
        _ = try await beginVerification(id: octets(label), key: .source(source))
        try await finishVerification(
            VerdictRecord(
                authOTTHash: octets("authOTT"), id: octets(label), source: source, result: result,
                purpose: purpose, host: "prod-db1", hostEpoch: 1, origin: TryOrigin("s"), counting: .bySource)
        )
    }

    fileprivate func change(
        to label: String, of userID: String = "alice", kind: IdentityKind = at("prod-db1"),
        account: [UInt8] = [7]
    ) async throws -> RegistrationOutcome {
        try await register(
            request(label, of: userID, kind: kind),
            by: .login(authOTTHash: octets("authOTT"), account: account))
    }

    fileprivate func isLive(_ label: String) async throws -> Bool {
        guard let identity = try await identity(id: octets(label)) else { return false }
        return identity.revokedAt == nil
    }

    /// Proves, registers, issues.
    fileprivate func replace(_ old: String, by new: String) async throws {
        try await prove(old, .good)
        #expect(try await change(to: new) == .active)
        #expect(try await issue(id: octets(new), regOTTHash: octets("ott " + new))?.revoked == [])
    }

    fileprivate func firstLogin(_ label: String) async throws -> [IdentityHash]? {
        try await tryProof(label, .good)
        return try await redeemProof()?.revoked
    }
}

@Suite(.slow) struct PINChangeTests {
    @Test(arguments: Engine.allCases)
    func `revoking a PIN also revokes its replacement that has not logged in yet`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("old", kind: at("prod-db1"))
            try await storage.replace("old", by: "new")
            let revocation = try await storage.revoke(.identity(octets("old")))
            #expect(revocation == Revocation(ids: [octets("old"), octets("new")], count: 2))
            #expect(try await !storage.isLive("new"))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a proof with the old PIN registers the new one, whose first login revokes the old one`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("old", kind: at("prod-db1"))
            try await storage.prove("old", .good)
            #expect(try await storage.change(to: "new") == .active)
            #expect(try await storage.change(to: "newer") == .refused)
            #expect(try await storage.issue(id: octets("new"), regOTTHash: octets("ott new"))?.revoked == [])
            #expect(try await storage.isLive("old"))
            #expect(try await storage.firstLogin("new") == [octets("old")])
            #expect(try await !storage.isLive("old"))
            #expect(try await storage.firstLogin("new") == [])
        }
    }

    @Test(arguments: Engine.allCases)
    func `strangers' tries do not lock out an owner who has just changed the PIN`(_ engine: Engine)
        async throws
    {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("old", kind: at("prod-db1"))
            #expect(try await storage.firstLogin("old") == [])
            try await storage.replace("old", by: "new")
            for number in 0..<Limits.strangeTriesADay {
                try await storage.tryProofAndRedeem("new", .wrong, from: "198.51.100.\(number)")
            }
            #expect(try await storage.tryProof("new", .good, from: "203.0.113.9")?.lockedSeconds != nil)
            #expect(try await storage.redeemProof()?.verdict.result == .locked)
            // A source from which the owner has logged in before.
            #expect(try await storage.tryProof("new", .good)?.lockedSeconds == nil)
        }
    }

    @Test(arguments: Engine.allCases, [ProofResult.wrong, .locked, .revoked, .secretExpired])
    func `only a right proof changes a PIN, and any other keeps its verdict`(
        _ engine: Engine, _ result: ProofResult
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("old", kind: at("prod-db1"))
            try await storage.prove("old", result)
            #expect(try await storage.change(to: "new") == .refused)
            #expect(try await storage.redeemProof()?.verdict.result == result)
            #expect(try await storage.redeemProof() == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a proof made for a change is good for nothing else, and no other proof changes a PIN`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("old", kind: at("prod-db1"))
            try await storage.prove("old", .good)
            let hash: TicketHash = octets("authOTT")
            for purpose in [VerdictPurpose.question(octets("A")), .login, .session("a"), .application("a")] {
                #expect(try await storage.redeem(authOTTHash: hash, purpose: purpose) == nil)
            }
            #expect(try await storage.redeemForSession(authOTTHash: hash) == nil)
            #expect(try await storage.redeemForApplication(authOTTHash: hash) == nil)
            #expect(try await storage.change(to: "new") == .active)
            for purpose in [VerdictPurpose.question(octets("A")), .login, .session("a"), .application("a")] {
                try await storage.prove("old", .good, purpose: purpose)
                #expect(try await storage.change(to: "newer") == .refused)
                _ = try await storage.redeem(authOTTHash: hash, purpose: purpose)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a proof changes a PIN only at its own host, for its own account and under its own name`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("old", of: "caf\u{e9}", kind: at("prod-db1"))
            try await storage.prove("old", .good)
            for kind in [at("build-7"), .bound, .unbound] {
                #expect(try await storage.change(to: "new", of: "caf\u{e9}", kind: kind) == .refused)
            }
            for account in [[], [8], [7, 7], [0, 7]] as [[UInt8]] {
                let outcome = try await storage.change(to: "new", of: "caf\u{e9}", account: account)
                #expect(outcome == .refused)
            }
            #expect(try await storage.change(to: "new", of: "caf\u{e9}") == .active)
            for userID in ["bob", "cafe\u{301}"] {
                try await storage.prove("old", .good)
                #expect(try await storage.change(to: "other", of: userID) == .refused)
                #expect(try await storage.change(to: "other", of: "caf\u{e9}") == .refused)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `revoking the old PIN ends the registration that it authorised`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("old", kind: at("prod-db1"))
            try await storage.prove("old", .good)
            #expect(try await storage.change(to: "new") == .active)
            _ = try await storage.revoke(.identity(octets("old")))
            #expect(try await storage.issue(id: octets("new"), regOTTHash: octets("ott new")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of several uncompleted changes the one that logs in first stays`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("a", kind: at("prod-db1"))
            try await storage.replace("a", by: "b")
            try await storage.replace("a", by: "rival")
            try await storage.replace("b", by: "c")
            for label in ["a", "b", "rival", "c"] { #expect(try await storage.isLive(label)) }
            let revoked = try #require(await storage.firstLogin("c"))
            #expect(Set(revoked) == [octets("a"), octets("b"), octets("rival")])
            #expect(try await storage.isLive("c"))
        }
    }
}
