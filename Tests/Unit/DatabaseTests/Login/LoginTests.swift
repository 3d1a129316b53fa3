// SPDX-License-Identifier: Apache-2.0
// Pass 1, pass 2 and redemption: what is used up, what is counted, what is found.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

@Suite(.slow) struct LoginTests {
    @Test(arguments: Engine.allCases)
    func `a good login is begun, finished and redeemed once`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            let record = passOne("one")
            try await storage.keepPassOne(record, key: .n(octets("n")))
            let begun = try await storage.beginVerification(id: octets("one"), key: .n(octets("n")))
            #expect(begun?.passOne == record)
            #expect(begun?.identity?.description == description("one"))
            #expect(begun?.lockedSeconds == nil)
            #expect(begun?.triesLeft == 2)
            try await storage.finishVerification(verdict("one", .good))
            let redeemed = try await storage.redeemProof()
            #expect(redeemed?.verdict == verdict("one", .good))
            #expect(redeemed?.identity?.lastLoginAt != nil)
            #expect(redeemed?.tries.left == 3)
            #expect(redeemed?.tries.lockedSeconds == 0)
            #expect(redeemed?.wrongTries == nil)
            #expect(try await storage.redeemProof() == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `each binding and an empty UT are read back as they were written`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            for binding in [
                Binding.nothing, .question(octets("A")), .seen(octets("seen"), session: "a0a1"),
                .seen(octets("s"), session: ""),
            ] {
                let record = PassOneRecord(
                    id: octets("one"), source: "s", u: [], ut: [], y: [0], binding: binding, host: nil,
                    hostEpoch: nil, origin: TryOrigin("s"))
                try await storage.keepPassOne(record, key: .n(octets("n")))
                let begun = try await storage.beginVerification(id: octets("one"), key: .n(octets("n")))
                #expect(begun?.passOne == record)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a pass 1 serves one pass 2`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            try await storage.keepPassOne(passOne("one"), key: .n(octets("n")))
            #expect(try await storage.beginVerification(id: octets("one"), key: .n(octets("n"))) != nil)
            #expect(try await storage.beginVerification(id: octets("one"), key: .n(octets("n"))) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a pass 2 with another n, id, source or form finds nothing and counts nothing`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            let source = "prod-db1 192.0.2.1"
            try await storage.keepPassOne(passOne("one"), key: .n(octets("n")))
            for (label, key) in [
                ("one", PassOneKey.n(octets("m"))), ("two", .n(octets("n"))), ("one", .source(source)),
                ("one", .n(.zero)), ("one", .source("")),
            ] {
                #expect(try await storage.beginVerification(id: octets(label), key: key) == nil)
            }
            let begun = try await storage.beginVerification(id: octets("one"), key: .n(octets("n")))
            #expect(begun?.triesLeft == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a stranger's pass 1 displaces only the stranger's own`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            let mine = passOne("one", from: "mine")
            try await storage.keepPassOne(mine, key: .source("mine"))
            for _ in 0..<3 {
                try await storage.keepPassOne(passOne("one", from: "his"), key: .source("his"))
            }
            let newest = PassOneRecord(
                id: octets("one"), source: "his", u: [9], ut: [9], y: [9], binding: .nothing, host: nil,
                hostEpoch: nil, origin: TryOrigin("s"))
            try await storage.keepPassOne(newest, key: .source("his"))
            let his = try await storage.beginVerification(id: octets("one"), key: .source("his"))
            #expect(his?.passOne == newest)
            #expect(try await storage.beginVerification(id: octets("one"), key: .source("his")) == nil)
            let found = try await storage.beginVerification(id: octets("one"), key: .source("mine"))
            #expect(found?.passOne == mine)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a source keeps a bounded number of pass-1 records, the newest`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            for number in 0..<300 {
                clock.pass(1)
                try await storage.keepPassOne(passOne("one", from: "flood"), key: .n(octets("n\(number)")))
            }
            let first = try await storage.beginVerification(id: octets("one"), key: .n(octets("n0")))
            let last = try await storage.beginVerification(id: octets("one"), key: .n(octets("n299")))
            #expect(first == nil)
            #expect(last != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a pass 1 expires after 15 seconds, a verdict after 60`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            try await storage.keepPassOne(passOne("one"), key: .n(octets("n")))
            clock.pass(Limits.passOneLife)
            #expect(try await storage.beginVerification(id: octets("one"), key: .n(octets("n"))) == nil)
            try await storage.tryProof("one", .good)
            clock.pass(Limits.verdictLife)
            #expect(try await storage.redeemProof() == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an authOTT is not found for another purpose`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            let purposes = [
                VerdictPurpose.login, .question(octets("A")), .question(octets("B")), .session("a0a1"),
                .session("3232212"),
                .session(""), .question(.zero),
            ]
            for own in purposes {
                try await storage.finishVerification(
                    VerdictRecord(
                        authOTTHash: octets("t"), id: octets("one"), source: "s", result: .good,
                        purpose: own, host: nil, hostEpoch: nil, origin: TryOrigin("s"), counting: .bySource))
                for other in purposes where other != own {
                    #expect(try await storage.redeem(authOTTHash: octets("t"), purpose: other) == nil)
                }
                let redeemed = try await storage.redeem(authOTTHash: octets("t"), purpose: own)
                #expect(redeemed?.verdict.purpose == own)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a redemption sees a revocation that came after pass 2`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            try await storage.tryProof("one", .good)
            _ = try await storage.revoke(.user("alice"))
            #expect(try await storage.redeemProof()?.identity?.revokedAt != nil)
            #expect(try await storage.tryProof("one", .revoked)?.identity?.revokedAt != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an unknown id is treated like a known one`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("known")
            for _ in 0..<5 {
                let known = try await storage.tryProof("known", .wrong)
                let afterKnown = try await storage.redeemProof()
                let unknown = try await storage.tryProof("unknown", .wrong)
                let afterUnknown = try await storage.redeemProof()
                #expect(unknown?.identity == nil)
                #expect((known?.lockedSeconds == nil) == (unknown?.lockedSeconds == nil))
                #expect(known?.triesLeft == unknown?.triesLeft)
                #expect(afterKnown?.verdict.result == afterUnknown?.verdict.result)
                #expect(afterKnown?.tries.left == afterUnknown?.tries.left)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a right proof under an unknown id is refused`(_ engine: Engine) async throws {
        try await withStorage(engine) { (storage, _) async throws in
            await #expect(throws: StorageError.refused) {
                try await storage.finishVerification(verdict("unknown", .good))
            }
            #expect(try await storage.redeemProof() == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the owner gets a notice of the wrong tries since the last login`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            try await storage.tryProofAndRedeem("one", .good)
            try await storage.tryProofAndRedeem("one", .wrong, from: "198.51.100.7")
            clock.pass(Limits.hour)
            try await storage.tryProofAndRedeem("one", .wrong, from: "203.0.113.9")
            clock.pass(Limits.hour)
            try await storage.tryProof("one", .good)
            let redeemed = try await storage.redeemProof()
            let wrong = try #require(redeemed?.wrongTries)
            #expect(wrong.count == 2)
            #expect(wrong.lastSource == "203.0.113.9")
            let login = try #require(redeemed?.identity?.lastLoginAt)
            #expect((Limits.hour..<Limits.hour + Limits.minute).contains(login - wrong.lastAt))
            try await storage.tryProof("one", .good)
            #expect(try await storage.redeemProof()?.wrongTries == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the notice of wrong tries survives a right proof that was never redeemed`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            try await storage.tryProofAndRedeem("one", .wrong, from: "198.51.100.7")
            try await storage.tryProof("one", .good)
            clock.pass(Limits.hour)
            _ = try await storage.purge()
            #expect(try await storage.redeemProof() == nil)
            try await storage.tryProof("one", .good)
            let redeemed = try await storage.redeemProof()
            #expect(redeemed?.wrongTries?.count == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a nonce is accepted once within twenty minutes`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            #expect(try await storage.takeNonce(octets("n")))
            #expect(try await !storage.takeNonce(octets("n")))
            #expect(try await storage.takeNonce(octets("m")))
            clock.pass(Limits.nonceLife - Limits.second)
            while try await storage.purge() > 0 {}
            #expect(try await !storage.takeNonce(octets("n")))
            clock.pass(Limits.minute)
            while try await storage.purge() > 0 {}
            #expect(try await storage.takeNonce(octets("p")))
        }
    }
}
