// SPDX-License-Identifier: Apache-2.0
// Logins: verdicts, what is counted, and for what and how often a proof is good (T 3, T 7, T 17).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import Synchronization
import TestSupport
import Testing

@Suite(.slow) struct LoginTests {
    /// A server with a host and alice enrolled there.
    private func alice() async throws -> (Server, TestHost, Enrolled) {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        return (server, host, alice)
    }

    @Test func `wrong PINs count down, the third locks for a minute, and then the right one is refused too`()
        async throws
    {
        let (server, host, alice) = try await alice()
        for left in [UInt16(2), 1] {
            let (status, verdict) = try await host.login(server, alice, pin: "4321")
            #expect(status == 401)
            #expect(verdict.verdict == .wrong)
            #expect(verdict.triesLeft == left)
            #expect(verdict.id == .zero)
        }
        for pin in ["4321", "1234"] {
            let (status, verdict) = try await host.login(server, alice, pin: pin)
            #expect(status == 403)
            #expect(verdict.verdict == .blocked)
            #expect((1...60).contains(verdict.secondsUntilRelease))
        }
        server.clock.advance(seconds: 61)
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .granted)
    }

    @Test func `an administrator's unlock ends a lock at once`() async throws {
        let (server, host, alice) = try await alice()
        for _ in 0..<3 { _ = try await host.login(server, alice, pin: "4321") }
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .blocked)
        let unlocked = try await server.administer("POST", AdminRoute.unlockUser, UserRequest(id: alice.id))
        #expect(unlocked.status == 200)
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .granted)
    }

    @Test func `failures from another source do not lock the owner out`() async throws {
        let (server, host, alice) = try await alice()
        for _ in 0..<4 { _ = try await host.login(server, alice, pin: "4321", source: "203.0.113.9") }
        #expect(
            try await host.login(server, alice, pin: "1234", source: "203.0.113.9").verdict.verdict
                == .blocked)
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .granted)
    }

    @Test func `a granted login gives the tries back`() async throws {
        let (server, host, alice) = try await alice()
        for _ in 0..<3 {
            for _ in 0..<2 { _ = try await host.login(server, alice, pin: "4321") }
            #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .granted)
        }
    }

    @Test func `proofs that are never redeemed are counted like any other`() async throws {
        let (server, host, alice) = try await alice()
        for index in 0..<50 {
            let question = try host.question(server, ids: [alice.id])
            let wid = ["0", String(repeating: "a", count: 32), "1234567"][index % 3]
            _ = try await alice.prove(
                server, pin: "4321", question: question, tag: host.tag(question), wid: wid)
        }
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .blocked)
    }

    @Test func `a try is counted even if the client never comes back after pass 2`() async throws {
        let (server, host, alice) = try await alice()
        for _ in 0..<3 {
            let question = try host.question(server, ids: [alice.id])
            let n = try await begin(server, alice, question, host.tag(question))
            // As after a crash between the count and the verdict.
            #expect(try await server.storage.beginVerification(id: alice.id, key: .n(n)) != nil)
        }
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .blocked)
    }

    @Test func `the answers of both passes are alike for every identity`() async throws {
        let (server, host, alice) = try await alice()
        let blocked = try await host.enrol(server, "blocked", code: server.add("blocked"), pin: "1234")
        for _ in 0..<3 { _ = try await host.login(server, blocked, pin: "4321") }
        let revoked = try await host.enrol(server, "revoked", code: server.add("revoked"), pin: "1234")
        let permit = try await revoked.permit(server)
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "revoked"))
        let other = try await server.join("build-7")
        let elsewhere = try await other.enrol(server, "elsewhere", code: server.add("elsewhere"), pin: "1234")
        let unknown = try Enrolled(
            mpinID: [UInt8]("{}".utf8), clientSecret: secret(revealed(alice.token.octets)), pin: "1")
        var seen: Set<[String]> = []
        for (who, pin) in [
            (alice, "1234"), (alice, "4321"), (blocked, "1234"), (revoked, "1234"), (elsewhere, "1234"),
            (unknown, "1"),
        ] {
            let question = try host.question(server, ids: [who.id])
            seen.insert(
                try await shapes(of: server, who, pin: pin, question, host.tag(question), permit: permit))
        }
        let absent = try host.question(server, ids: [])
        seen.insert(
            try await shapes(of: server, alice, pin: "1234", absent, host.tag(absent), permit: permit))
        #expect(seen.count == 1, "\(seen)")
    }

    /// Keys, types and lengths of both answers, with a one-time password requested.
    private func shapes(
        of server: Server, _ who: Enrolled, pin: String, _ question: SealedQuestion, _ tag: [UInt8],
        permit: (date: UInt32, octets: [UInt8])
    ) async throws -> [String] {
        let proof = try who.passOne(pin: pin, permit: permit)
        var first = PassOneRequest(mpinID: who.mpinID, u: proof.u, ut: proof.ut)
        first.ask = HexOctets(question.octets)
        first.askTag = HexOctets(tag)
        let begun = try await server.send("POST", Route.passOne, first)
        let y = try read(PassOneResponse.self, begun)
        let ended = try await server.send(
            "POST", Route.passTwo,
            PassTwoRequest(
                mpinID: who.mpinID, v: proof.answer(y: y.y), wid: "0", otp: true, n: y.n))
        return try [begun, ended].flatMap { response in
            try ["\(response.status)"] + object(response.body).map { "\($0.key) \($0.value.shape)" }.sorted()
        }
    }

    @Test func `a proof is good for one question and an authOTT for one redemption`() async throws {
        let (server, host, alice) = try await alice()
        let question = try host.question(server, ids: [alice.id])
        let other = try host.question(server, ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        for a in [other.a, QuestionHash.zero, nil] {
            let response = try await server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: a))
            #expect(response.status == 408)
        }
        #expect(try await host.redeem(server, proof, question).verdict.verdict == .granted)
        let again = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: question.a))
        #expect(again.status == 408)
    }

    @Test func `an authOTT without a question opens no console`() async throws {
        let (server, host, alice) = try await alice()
        let carol = try await Enrolled.onDevice(
            server, "carol", code: server.add("carol"), pin: "1234", bound: true)
        let question = try host.question(server, ids: [alice.id, carol.id])
        let proof = try await carol.prove(server, pin: "1234")
        let response = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: question.a))
        #expect(response.status == 408)
        #expect(try await carol.login(server, pin: "1234") == 200)
    }

    @Test func `of a hundred redemptions of one authOTT one is granted`() async throws {
        let (server, host, alice) = try await alice()
        let question = try host.question(server, ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        let body = [UInt8](try JSONEncoder().encode(AuthenticateRequest(mpinResponse: proof, a: question.a)))
        let statuses = await together(100) { await server.send("POST", Route.authenticate, body).status }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 408 }.count == 99)
    }

    @Test func `an authOTT lives for a minute`() async throws {
        let (server, host, alice) = try await alice()
        let question = try host.question(server, ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        server.clock.advance(seconds: 61)
        let response = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: question.a))
        #expect(response.status == 408)
    }

    @Test func `a pass 1 answers once and lives for fifteen seconds`() async throws {
        let (server, host, alice) = try await alice()
        let question = try host.question(server, ids: [alice.id])
        let n = try await begin(server, alice, question, host.tag(question))
        let second = PassTwoRequest(mpinID: alice.mpinID, v: [4], wid: "0", otp: false, n: n)
        #expect(try await server.send("POST", Route.passTwo, second).status == 200)
        #expect(try await server.send("POST", Route.passTwo, second).status == 403)
        let late = try host.question(server, ids: [alice.id])
        let lateN = try await begin(server, alice, late, host.tag(late))
        server.clock.advance(seconds: 16)
        let tooLate = PassTwoRequest(mpinID: alice.mpinID, v: [4], wid: "0", otp: false, n: lateN)
        #expect(try await server.send("POST", Route.passTwo, tooLate).status == 403)
    }

    private func begin(_ server: Server, _ who: Enrolled, _ question: SealedQuestion, _ tag: [UInt8])
        async throws
        -> ServerNonce
    {
        let proof = try await who.passOne(pin: "4321", permit: who.permit(server))
        var first = PassOneRequest(mpinID: who.mpinID, u: proof.u, ut: proof.ut)
        first.ask = HexOctets(question.octets)
        first.askTag = HexOctets(tag)
        return try #require(read(PassOneResponse.self, await server.send("POST", Route.passOne, first)).n)
    }

    @Test func `an OTP of pass 2 has six digits and is there only when requested`() async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        for wanted in [true, false] {
            let proof = try await alice.passOne(pin: "1234", permit: alice.permit(server))
            let begun = try read(
                PassOneResponse.self,
                await server.send(
                    "POST", Route.passOne, PassOneRequest(mpinID: alice.mpinID, u: proof.u, ut: proof.ut)))
            let v = try proof.answer(y: begun.y)
            let ended = try read(
                PassTwoResponse.self,
                await server.send(
                    "POST", Route.passTwo,
                    PassTwoRequest(mpinID: alice.mpinID, v: v, wid: "0", otp: wanted)))
            #expect((ended.otp != nil) == wanted)
            #expect(ended.otp?.utf8.count ?? 6 == 6)
        }
    }
}

extension JSON {
    /// The type of the value, and the length of a string.
    var shape: String {
        switch self {
        case .string(let text): "string \(text.utf8.count)"
        default: type
        }
    }
}
