// SPDX-License-Identifier: Apache-2.0
// One-time passwords: made by a plain login, counted by every question, used up once.
@testable import MPinDatabase
@testable import MPinServer
import Octets
import TestSupport
import Testing

extension ServerDatabase {
    /// Keeps the verdict of a pass 2 that showed a password, and redeems it.
    fileprivate func logIn(
        _ label: String, otp: [UInt8]?, purpose: VerdictPurpose = .login, _ result: ProofResult = .good
    ) async throws -> Redemption? {
        try await finishVerification(
            VerdictRecord(
                authOTTHash: octets("authOTT"), id: octets(label), source: "s", result: result,
                purpose: purpose, host: nil, hostEpoch: nil, origin: TryOrigin("s"), counting: .bySource,
                otp: otp))
        return try await redeem(authOTTHash: octets("authOTT"), purpose: purpose)
    }

    /// Asks about passwords; with `isRight` as if each living one had been typed.
    func ask(
        _ a: String, _ labels: [String], life: UnixMilliseconds = Limits.minute, isRight: Bool = true,
        from source: String = "s"
    ) async throws -> [[UInt8]?] {
        let ids: [IdentityHash] = labels.map { octets($0) }
        let told = try await askOTPs(
            OTPQuestion(
                a: octets(a), ids: ids, host: "prod-db1", hostEpoch: 3, source: source, life: life))
        for case (let id, let living?) in zip(ids, told) where isRight {
            try await matchOTP(a: octets(a), id: id, sealed: living)
        }
        return told
    }

    func use(_ a: String, _ label: String) async throws -> Bool? {
        try await settleOTP(a: octets(a), id: octets(label))?.isUsed
    }
}

extension ServerDatabase {
    /// Leaves a one-time password with a question about it, an application's session, and a code.
    func leaveForSeconds(_ label: String) async throws {
        let login = VerdictRecord(
            authOTTHash: octets("plain"), id: octets(label), source: "s", result: .good, purpose: .login,
            host: nil, hostEpoch: nil, origin: TryOrigin("s"), counting: .bySource, otp: [1])
        try await finishVerification(login)
        _ = try await redeem(authOTTHash: octets("plain"), purpose: .login)
        #expect(try await ask("A", [label]) == [[1]])
        _ = try await addApplication(ApplicationRecord(clientID: "c", name: "n", redirectURIs: ["x:/"]))
        _ = try await openApplicationSession(
            ApplicationSession(wid: "w", clientID: "c", redirectURI: "x:/", requester: requester("s")))
        _ = try await keepCode(octets("1"), of: octets(label), for: .application("c"))
    }
}

@Suite(.slow) struct OneTimePasswordTests {
    @Test(arguments: Engine.allCases)
    func `a right plain login gives its password two minutes of life and one use`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, clock in
            _ = try await storage.enroll("one")
            let now = clock.milliseconds
            let login = try #require(await storage.logIn("one", otp: [1]))
            #expect(login.verdict.otp == [1])
            #expect(login.otp == LivingOTP(from: now, until: now + 120_000))
            #expect(try await storage.ask("A", ["x", "one"]) == [nil, [1]])
            let settled = try #require(await storage.settleOTP(a: octets("A"), id: octets("one")))
            #expect(settled.isUsed)
            #expect([settled.host, settled.source] == ["prod-db1", "s"])
            #expect(settled.hostEpoch == 3)
            #expect(settled.identity?.description == description("one"))
            #expect(try await storage.use("A", "one") == nil)
            #expect(try await storage.use("A", "x") == false)
            #expect(try await storage.ask("B", ["one"]) == [nil])
            #expect(try await storage.use("B", "one") == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `only a right plain login that asked for a password makes one`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            for result in [ProofResult.wrong, .locked, .revoked, .secretExpired] {
                #expect(try await storage.logIn("one", otp: [1], result)?.otp == nil)
            }
            for purpose in [VerdictPurpose.question(octets("A")), .session("a"), .application("a")] {
                #expect(try await storage.logIn("one", otp: [1], purpose: purpose)?.otp == nil)
            }
            #expect(try await storage.logIn("one", otp: nil)?.otp == nil)
            _ = try await storage.revoke(.identity(octets("one")))
            #expect(try await storage.logIn("one", otp: [1])?.otp == nil)
            #expect(try await storage.ask("A", ["one"]) == [nil])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a password is given to five questions of a source, and to fifty in all`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.logIn("one", otp: [1])
            for number in 1...49 {
                let source = "stranger \(number % 10)"
                #expect(try await storage.ask("A\(number)", ["one"], from: source) == [[1]])
            }
            // A source beyond its limit uses up none of the questions that are left for others.
            for number in 50...60 {
                #expect(try await storage.ask("A\(number)", ["one"], from: "stranger 1") == [nil])
            }
            #expect(try await storage.ask("last", ["one"], from: "owner") == [[1]])
            #expect(try await storage.ask("late", ["one"], from: "another") == [nil])
            #expect(try await storage.use("last", "one") == true)
            _ = try await storage.logIn("one", otp: [2])
            #expect(try await storage.ask("new", ["one"], from: "stranger 1") == [[2]])
        }
    }

    @Test(arguments: Engine.allCases)
    func `after five questions of a source the sixth gets nothing`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.logIn("one", otp: [1])
            for number in 1...5 { #expect(try await storage.ask("A\(number)", ["one"]) == [[1]]) }
            #expect(try await storage.ask("A6", ["one"]) == [nil])
            #expect(try await storage.use("A6", "one") == false)
            // The password that was typed for the fifth question was right.
            #expect(try await storage.use("A5", "one") == true)
            #expect(try await storage.use("A4", "one") == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a question for which the password was not typed does not use it`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            for label in ["one", "two"] {
                _ = try await storage.enroll(label)
                _ = try await storage.logIn(label, otp: [1])
            }
            #expect(try await storage.ask("A", ["one"], isRight: false) == [[1]])
            #expect(try await storage.use("A", "one") == false)
            // Nor does a password that was right for another question, or for another identity.
            #expect(try await storage.ask("B", ["one", "two"], isRight: false) == [[1], [1]])
            try await storage.matchOTP(a: octets("C"), id: octets("one"), sealed: [1])
            try await storage.matchOTP(a: octets("B"), id: octets("two"), sealed: [1])
            #expect(try await storage.use("B", "one") == false)
            #expect(try await storage.use("B", "two") == true)
            #expect(try await storage.ask("D", ["one"]) == [[1]])
            #expect(try await storage.use("D", "one") == true)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a newer password replaces the one before it, and voids the questions about that one`(
        _ engine: Engine
    ) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.logIn("one", otp: [1])
            #expect(try await storage.ask("A", ["one"]) == [[1]])
            _ = try await storage.logIn("one", otp: [2])
            #expect(try await storage.use("A", "one") == false)
            for number in 1...5 { #expect(try await storage.ask("B\(number)", ["one"]) == [[2]]) }
            #expect(try await storage.use("B1", "one") == true)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a password, a question and an identity end in their time`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, clock in
            for label in ["one", "two"] {
                _ = try await storage.enroll(label)
                _ = try await storage.logIn(label, otp: [1])
            }
            #expect(try await storage.ask("A", ["one", "two"]) == [[1], [1]])
            _ = try await storage.revoke(.identity(octets("two")))
            let revoked = try #require(await storage.settleOTP(a: octets("A"), id: octets("two")))
            #expect(!revoked.isUsed)
            #expect(revoked.identity?.revokedAt != nil)
            clock.pass(Limits.minute)
            #expect(try await storage.use("A", "one") == nil)
            #expect(try await storage.ask("B", ["one"], life: Limits.hour) == [[1]])
            clock.pass(Limits.minute)
            #expect(try await storage.ask("C", ["one"]) == [nil])
            #expect(try await storage.use("B", "one") == false)
            clock.pass(Limits.hour)
            // The password, and the questions A (one) and C.
            #expect(try await storage.purge() == 3)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of a hundred uses of one password one succeeds`(_ engine: Engine) async throws {
        try await withStorage(engine) { storage, _ in
            _ = try await storage.enroll("one")
            _ = try await storage.logIn("one", otp: [1])
            for number in 0..<5 { _ = try await storage.ask("A\(number)", ["one"]) }
            let used = try await count(100) { try await storage.use("A\($0 % 5)", "one") == true }
            #expect(used == 1)
        }
    }

    @Test func `a restart keeps a password, the questions counted against it and its use`()
        async throws
    {
        let folder = try Folder()
        let clock = TestClock()
        func reopened(_ old: ServerDatabase?) async throws -> ServerDatabase {
            await old?.close()
            return try ServerDatabase(sqlite: .file(folder.database), clock: { clock.milliseconds })
        }
        var storage = try await reopened(nil)
        _ = try await storage.enroll("one")
        _ = try await storage.logIn("one", otp: [1])
        for number in 1...5 {
            storage = try await reopened(storage)
            #expect(try await storage.ask("A\(number)", ["one"]) == [[1]])
        }
        storage = try await reopened(storage)
        #expect(try await storage.ask("A6", ["one"]) == [nil])
        #expect(try await storage.use("A1", "one") == true)
        storage = try await reopened(storage)
        #expect(try await storage.use("A2", "one") == false)
    }
}
