// SPDX-License-Identifier: Apache-2.0
// The failure counters of a second device: tries count by the device's key, not by source.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct DeviceCounterTests {
    @Test(arguments: Engine.allCases)
    func `a thief with the device's key has three tries, from any number of sources`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("phone", kind: .bound)
            var looked = 0
            for number in 0..<100 {
                let begun = try await storage.tryProofAndRedeem(
                    "phone", .wrong, from: "10.\(number).0.0/24", tagEpoch: 1)
                if begun?.lockedSeconds == nil { looked += 1 }
            }
            #expect(looked == 3)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a stranger without the key never locks the owner and gets no other result than wrong`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("phone", kind: .bound)
            for number in 0..<1000 {
                let source = "10.\(number % 250).\(number / 250).0/24"
                let begun = try #require(try await storage.tryProof("phone", .good, from: source))
                #expect(begun.counting == .none)
                #expect(begun.lockedSeconds == nil)
                let redeemed = try #require(try await storage.redeemProof())
                #expect(redeemed.verdict.result == .wrong)
                #expect(redeemed.tries == TryStanding(left: 3))
            }
            let owner = try await storage.tryProof("phone", .good, tagEpoch: 1)
            #expect(owner?.lockedSeconds == nil)
            let redeemed = try #require(try await storage.redeemProof())
            #expect(redeemed.verdict.result == .good)
            #expect(redeemed.wrongTries == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of fifty concurrent proofs with the device's key three are verified`(_ engine: Engine) async throws
    {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("phone", kind: .bound)
            clock.pass(Limits.registrationLife)
            for number in 0..<50 {
                try await storage.keepPassOne(
                    passOne("phone", from: "s\(number)"), key: .n(octets("n\(number)")))
            }
            clock.pass(-Limits.registrationLife)
            let looked = try await count(50) { number in
                let begun = try await storage.beginVerification(
                    id: octets("phone"), key: .n(octets("n\(number)")), deviceEpoch: { _, _ in 1 })
                return try #require(begun).lockedSeconds == nil
            }
            #expect(looked == 3)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a hundred wrong tries block the device, however they are spread, until an unlock`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("phone", kind: .bound)
            for number in 1...100 {
                clock.pass(Limits.hour)
                let begun = try await storage.tryProof("phone", .wrong, tagEpoch: 1)
                #expect(begun?.lockedSeconds == nil)
                let redeemed = try #require(try await storage.redeemProof())
                #expect((redeemed.identity?.blockedAt != nil) == (number == 100))
                #expect(redeemed.tries.scarce == (number >= 50 && number < 100 ? UInt16(100 - number) : nil))
            }
            clock.pass(Limits.day)
            #expect(try await storage.tryProof("phone", .good, tagEpoch: 1)?.lockedSeconds == .max)
            #expect(try await storage.redeemProof()?.tries.lockedSeconds == .max)
            #expect(try await storage.unlock(.identity(octets("phone"))) == .unlocked)
            #expect(try await storage.tryProof("phone", .good, tagEpoch: 1)?.lockedSeconds == nil)
            #expect(try await storage.redeemProof()?.tries == TryStanding(left: 3))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a right proof gives back three tries of its own network, and twenty in a month`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("phone", kind: .bound)
            for _ in 0..<70 {
                clock.pass(Limits.hour)
                try await storage.tryProofAndRedeem("phone", .wrong, from: "thief", tagEpoch: 1)
            }
            /// Tries left after so many wrong ones and a right one, all from the owner's network.
            func left(afterWrong wrong: Int) async throws -> UInt16? {
                for _ in 0..<wrong {
                    clock.pass(Limits.hour)
                    try await storage.tryProofAndRedeem("phone", .wrong, from: "home", tagEpoch: 1)
                }
                clock.pass(Limits.hour)
                try await storage.tryProof("phone", .good, from: "home", tagEpoch: 1)
                return try await storage.redeemProof()?.tries.scarce
            }
            #expect(try await left(afterWrong: 0) == 30)
            for _ in 0..<5 { #expect(try await left(afterWrong: 3) == 30) }
            #expect(try await left(afterWrong: 4) == 29)
            #expect(try await left(afterWrong: 3) == 28)
            #expect(try await left(afterWrong: 1) == 27)
            clock.pass(Limits.returnedTriesSpan)
            #expect(try await left(afterWrong: 1) == 27)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a device gets the epoch at its registration, and a newer one with its first right tag`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("phone", kind: .bound)
            _ = try await storage.enroll("theirs", of: "bob", kind: .unbound)
            #expect(try await storage.identity(id: octets("phone"))?.deviceEpoch == 1)
            #expect(try await storage.identity(id: octets("theirs"))?.deviceEpoch == nil)
            try await storage.tryProofAndRedeem("phone", .wrong, tagEpoch: 2)
            #expect(try await storage.identity(id: octets("phone"))?.deviceEpoch == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `secrets that are not those of this database are noticed`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            var answers: [Bool] = []
            for (name, value) in [
                ("keys 1", "ours"), ("keys 1", "ours"), ("keys 1", "theirs"), ("keys 2", "theirs"),
            ] {
                let check = SecretCheck(name: name, value: octets(value))
                answers.append(try await storage.checkSecret(check))
            }
            #expect(answers == [true, true, false, true])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a flood of untagged pass-1 records displaces no tagged one`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("phone", kind: .bound)
            let flooded = passOne("phone", from: "flood")
            let tagged = PassOneRecord(
                id: flooded.id, source: "flood", u: flooded.u, ut: [], y: flooded.y, binding: .nothing,
                host: nil, hostEpoch: nil, origin: flooded.origin, isTrusted: true)
            try await storage.keepPassOne(tagged, key: .n(octets("mine")))
            for number in 0..<400 {
                clock.pass(1)
                try await storage.keepPassOne(flooded, key: .n(octets("n\(number)")))
            }
            let begun = try await storage.beginVerification(id: octets("phone"), key: .n(octets("mine")))
            #expect(begun?.passOne == tagged)
        }
    }
}
