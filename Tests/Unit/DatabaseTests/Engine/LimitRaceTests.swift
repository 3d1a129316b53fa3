// SPDX-License-Identifier: Apache-2.0
// Limits are exact, although many callers count at the same moment, even where two daemons share a database.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct LimitRaceTests {
    @Test(arguments: Engine.allCases)
    func `two hundred sessions opened at once stop at the limit of their source`(_ engine: Engine)
        async throws
    {
        try await withReplicas(engine) { replicas in
            let opened = try await count(200) { number in
                let opening = SessionOpening(
                    wid: "w\(number)", number: "\(1_000_000 + number)", host: "prod-db1", hostEpoch: 1,
                    requester: requester("s"), a: octets("A\(number)"), question: [1],
                    life: Limits.sessionLife)
                return try await replicas[number % 2].openSession(opening) != .full
            }
            #expect(opened == Limits.sessionsPerSource)
        }
    }

    @Test(arguments: Engine.allCases)
    func `of a hundred sessions with one number, in consoles and browsers, one has it`(
        _ engine: Engine
    ) async throws {
        try await withReplicas(engine) { replicas in
            let opened = try await count(100) { number in
                let storage = replicas[number / 2 % 2]
                if number % 2 == 0 {
                    let opening = BrowserOpening(
                        wid: "b\(number)", number: "1234567", account: "a",
                        requester: requester("s\(number)"),
                        webOTTHash: octets("web \(number)"), authOTTHash: octets("auth \(number)"),
                        life: Limits.minute)
                    return try await storage.openBrowser(opening) != .numberTaken
                }
                let opening = SessionOpening(
                    wid: "w\(number)", number: "1234567", host: "h\(number)", hostEpoch: 1,
                    requester: requester("s"),
                    a: octets("A\(number)"), question: [1], life: Limits.sessionLife)
                return try await storage.openSession(opening) != .numberTaken
            }
            #expect(opened == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `look-ups at once stop at the limits of their source and of their network`(
        _ engine: Engine
    ) async throws {
        try await withReplicas(engine) { replicas in
            let opening = SessionOpening(
                wid: "w", number: "3232212", host: "prod-db1", hostEpoch: 1, requester: requester("s"),
                a: octets("A"),
                question: [1], life: Limits.sessionLife)
            _ = try await replicas[0].openSession(opening)
            let found = try await count(200) { number in
                try await replicas[number % 2].look("3232212", requester("one")) != nil
            }
            #expect(found == Limits.lookUpsPerSource)
            _ = try await count(200) { number in
                let guessing = requester("s\(number)", network: "guessing")
                return try await replicas[number % 2].look("1111111", guessing) != nil
            }
            #expect(try await replicas[0].look("3232212", requester("x", network: "guessing")) == nil)
            #expect(try await replicas[0].look("3232212", requester("x", network: "quiet")) != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `two hundred registrations at once stop at the places of their source`(_ engine: Engine) async throws
    {
        try await withReplicas(engine) { replicas in
            let waiting = try await count(200) { number in
                try await replicas[number % 2].register(request("r\(number)"), by: .confirmation) == .waiting
            }
            #expect(waiting == Limits.registrationsPerSource)
            #expect(try await replicas[0].waitingRegistrations().count == waiting)
        }
    }

    @Test(arguments: Engine.allCases)
    func `sessions opened at once by many sources stop at the places of their host`(_ engine: Engine)
        async throws
    {
        try await withReplicas(engine) { replicas in
            let opened = try await count(300) { number in
                let opening = SessionOpening(
                    wid: "w\(number)", number: "\(1_000_000 + number)", host: "prod-db1", hostEpoch: 1,
                    requester: requester("s\(number)"), a: octets("A\(number)"), question: [1],
                    life: Limits.sessionLife)
                return try await replicas[number % 2].openSession(opening) != .full
            }
            #expect(opened == Limits.sessionsPerHost)
        }
    }

    /// Each try comes from a source of its own, so only the limit of all strangers stops them.
    @Test(arguments: Engine.allCases)
    func `tries by a hundred strangers at once stop at the limit of a day`(_ engine: Engine) async throws {
        try await withReplicas(engine) { replicas in
            _ = try await replicas[0].enroll("one")
            for number in 0..<100 {
                let source = "192.0.2.\(number)"
                try await replicas[0].keepPassOne(passOne("one", from: source), key: .source(source))
            }
            let verified = try await count(100) { number in
                let begun = try await replicas[number % 2].beginVerification(
                    id: octets("one"), key: .source("192.0.2.\(number)"), deviceEpoch: { _, _ in nil })
                return begun?.lockedSeconds == nil
            }
            #expect(verified == Limits.strangeTriesADay)
        }
    }

    @Test(arguments: Engine.allCases)
    func `tries at once from one source stop at its first lock`(_ engine: Engine) async throws {
        try await withReplicas(engine) { replicas in
            _ = try await replicas[0].enroll("one")
            for number in 0..<50 {
                try await replicas[0].keepPassOne(passOne("one"), key: .n(octets("n\(number)")))
            }
            let verified = try await count(50) { number in
                let begun = try await replicas[number % 2].beginVerification(
                    id: octets("one"), key: .n(octets("n\(number)")), deviceEpoch: { _, _ in nil })
                return begun?.lockedSeconds == nil
            }
            #expect(verified == Int(Locks().after))
        }
    }

    @Test(arguments: Engine.allCases)
    func `wrong codes at once leave one record, and a right one among them is taken once`(
        _ engine: Engine
    ) async throws {
        try await withReplicas(engine) { replicas in
            _ = try await replicas[0].addHost("h", join: JoinCodeRecord(joinID: [1], sealedKey: [2]))
            let taken = try await count(100) { number in
                let joinID: UInt8 = number.isMultiple(of: 10) ? 1 : 9
                return try await replicas[number % 2].takeJoin(host: "h", joinID: [joinID]) != nil
            }
            #expect(taken == 1)
            #expect(try await replicas[1].recorded() == [codeTry().event])
        }
    }

    @Test(arguments: Engine.allCases)
    func `questions about a one-time password at once stop at the limit of their source`(
        _ engine: Engine
    ) async throws {
        try await withReplicas(engine) { replicas in
            _ = try await replicas[0].enroll("one")
            try await replicas[0].leaveForSeconds("one")
            let told = try await count(100) { number in
                try await replicas[number % 2].ask("q\(number)", ["one"], isRight: false, from: "guesser")
                    != [nil]
            }
            #expect(told == Limits.otpQuestionsPerSource)
        }
    }

    /// Each rotation makes one epoch; a counter that is read and written would lose some.
    @Test(arguments: Engine.allCases)
    func `rotations of a host at once each have an epoch of their own`(_ engine: Engine) async throws {
        try await withReplicas(engine) { replicas in
            let join = JoinCodeRecord(joinID: [1], sealedKey: [2])
            _ = try await replicas[0].addHost("h", join: join)
            let rotated = try await count(20) {
                try await replicas[$0 % 2].rotateHost("h", join: join) != nil
            }
            let host = try await replicas[0].host("h")
            #expect(rotated == 20 && host?.keys.map(\.epoch) == (1...21).reversed())
        }
    }

    /// The revocation is final, whichever of the two comes first.
    @Test(arguments: Engine.allCases)
    func `no identity stays alive that is issued while its owner is revoked`(_ engine: Engine) async throws {
        try await withReplicas(engine) { replicas in
            for round in 0..<20 {
                let (user, label) = ("user \(round)", "r\(round)")
                try await replicas[0].addUser(user, codeHash: octets("c"), replace: false)
                _ = try await replicas[0].register(request(label, of: user), by: code("c"))
                async let issue = replicas[1].issue(id: octets(label), regOTTHash: octets("ott " + label))
                async let revoked = replicas[0].revoke(.user(user))
                _ = try await (issue, revoked)
                #expect(
                    try await replicas[0].identity(id: octets(label)).map { $0.revokedAt != nil } != false)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a notice loses no wrong try that is noted while it is taken`(_ engine: Engine) async throws {
        try await withReplicas(engine) { replicas in
            _ = try await replicas[0].enroll("one", kind: .onHost)
            try await replicas[0].tryProof("one", .good)
            _ = try await replicas[0].redeemProof()
            let noted = try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let wrong = VerdictRecord(
                            authOTTHash: octets("wrong \(number)"), id: octets("one"), source: "s",
                            result: .wrong, purpose: .login, host: nil, hostEpoch: nil,
                            origin: TryOrigin("s"), counting: .bySource)
                        try await replicas[0].finishVerification(wrong)
                        let good = VerdictRecord(
                            authOTTHash: octets("good \(number)"), id: octets("one"), source: "s",
                            result: .good, purpose: .login, host: nil, hostEpoch: nil,
                            origin: TryOrigin("s"), counting: .bySource)
                        try await replicas[1].finishVerification(good)
                        let redeemed = try await replicas[1].redeem(
                            authOTTHash: octets("good \(number)"), purpose: .login)
                        return redeemed?.wrongTries?.count ?? 0
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(noted == 40)
        }
    }
}
