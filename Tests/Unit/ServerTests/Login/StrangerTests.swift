// SPDX-License-Identifier: Apache-2.0
// What strangers who know an mpinId can do to its user, and what they learn (T 12, T 23, T 24, T 32).
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

@Suite(.slow) struct StrangerTests {
    /// A server with a host and alice enrolled there.
    private func alice() async throws -> (Server, TestHost, Enrolled) {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        return (server, host, alice)
    }

    @Test func `without the host's seal its identities are strangers, and no try counts against them`()
        async throws
    {
        let (server, host, alice) = try await alice()
        // The strangers are locked out, and only they.
        for status in [401, 401, 403, 403] {
            #expect(try await alice.login(server, pin: "1234") == status)
        }
        let other = try await server.join("build-7")
        for _ in 0..<4 {
            #expect(try await other.login(server, alice, pin: "1234").verdict.verdict != .granted)
        }
        let (_, verdict) = try await host.login(server, alice, pin: "4321")
        #expect(verdict.triesLeft == 2)
    }

    @Test func `an unknown identity leaves a log line and no audit record`() async throws {
        let (server, host, alice) = try await alice()
        let unknown = try Enrolled(
            mpinID: [UInt8]("{}".utf8), clientSecret: secret(revealed(alice.token.octets)), pin: "1")
        let permit = try await alice.permit(server)
        let before = try await server.storage.auditRecords(AuditQuery(), limit: 99).count
        let question = try host.question(server, ids: [unknown.id])
        let proof = try await unknown.prove(
            server, pin: "1", question: question, tag: host.tag(question), permit: permit)
        #expect(try await host.redeem(server, proof, question).verdict.verdict == .wrong)
        #expect(try await server.storage.auditRecords(AuditQuery(), limit: 99).count == before)
        #expect(server.notes.withLock { $0.contains(LogField("verdict", "wrong")) })
        #expect(try await host.login(server, alice, pin: "4321").verdict.verdict == .wrong)
        #expect(try await server.storage.auditRecords(AuditQuery(), limit: 99).count == before + 1)
    }

    @Test func `an identity that the question does not list is a stranger`() async throws {
        let (server, host, alice) = try await alice()
        let bob = try await host.enrol(server, "bob", code: server.add("bob"), pin: "1234")
        let question = try host.question(server, ids: [alice.id])
        let proof = try await bob.prove(server, pin: "1234", question: question, tag: host.tag(question))
        #expect(try await host.redeem(server, proof, question).verdict.verdict == .wrong)
    }

    /// As if pass 1 had come before the mpinId was known: in Milagro's form, or without the host.
    @Test func `a proof that was begun in another form than its mpinId's is wrong`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let carol = try await Enrolled.onDevice(
            server, "carol", code: server.add("carol"), pin: "1234", bound: true)
        let dave = try await Enrolled.onDevice(server, "dave", code: server.add("dave"), pin: "1234")
        #expect(try await kept(server, alice, named: false) == 401)
        #expect(try await kept(server, alice, named: true) == 401)
        #expect(try await kept(server, carol, named: false) == 401)
        #expect(try await kept(server, dave, named: true) == 401)
        #expect(try await kept(server, carol, named: true) == 200)
        #expect(try await kept(server, dave, named: false) == 200)
    }

    /// The status of a login with the right PIN whose pass 1 is put into storage directly.
    private func kept(_ server: Server, _ who: Enrolled, named: Bool) async throws -> Int {
        let n = try ServerNonce(exactly: randomOctets(32))
        let proof = try await who.passOne(pin: "1234", permit: who.permit(server))
        let (u, ut) = (proof.u, proof.ut)
        let y = try challenge(n: n, id: who.id, u: u, ut: ut, purpose: noPurpose)
        let record = PassOneRecord(
            id: who.id, source: "192.0.2.1", u: u, ut: ut, y: y, binding: .nothing, host: nil, hostEpoch: nil,
            origin: TryOrigin("s"))
        try await server.storage.keepPassOne(record, key: named ? .n(n) : .source("192.0.2.1"))
        var second = PassTwoRequest(
            mpinID: who.mpinID, v: try proof.answer(y: y), wid: "0", otp: false, n: named ? n : nil)
        if named { try who.tag(&second, to: PassOneResponse(y: y, n: n)) }
        let ended = try read(PassTwoResponse.self, await server.send("POST", Route.passTwo, second))
        return try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: ended)
        ).status
    }

    @Test func `an identity of our client is not accepted in Milagro's form`() async throws {
        let server = try Server()
        let carol = try await Enrolled.onDevice(
            server, "carol", code: server.add("carol"), pin: "1234", bound: true)
        let proof = try await carol.passOne(pin: "1234", permit: carol.permit(server))
        let begun = try read(
            PassOneResponse.self,
            await server.send(
                "POST", Route.passOne, PassOneRequest(mpinID: carol.mpinID, u: proof.u, ut: proof.ut)))
        try #require(begun.n != nil)
        let v = try proof.answer(y: begun.y)
        let second = PassTwoRequest(mpinID: carol.mpinID, v: v, wid: "0", otp: false)
        #expect(try await server.send("POST", Route.passTwo, second).status == 403)
    }

    /// Statuses of three logins without a permit, and of one after a revocation.
    @Test(arguments: zip([false, true], [[200, 200, 200, 403], [401, 401, 410, 403]]))
    func `a proof needs a permit only where an application's RPA may decide about it`(
        _ isCompatible: Bool, _ statuses: [Int]
    ) async throws {
        let server = isCompatible ? try Server.compatible() : try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        for (number, status) in statuses.enumerated() {
            if number == 3 {
                let revoked = UserRequest(userId: "alice")
                _ = try await server.administer("POST", AdminRoute.revokeUser, revoked)
            }
            let proof = try alice.passOne(pin: "1234", permit: nil)
            let begun = try read(
                PassOneResponse.self,
                await server.send(
                    "POST", Route.passOne, PassOneRequest(mpinID: alice.mpinID, u: proof.u, ut: [])))
            let ended = try read(
                PassTwoResponse.self,
                await server.send(
                    "POST", Route.passTwo,
                    PassTwoRequest(
                        mpinID: alice.mpinID, v: proof.answer(y: begun.y), wid: "0", otp: false)))
            let answer = try await server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: ended))
            #expect(answer.status == status)
        }
    }

    @Test(arguments: ["U", "UT", "V"], [true, false])
    func `a proof with a missing or invalid part is wrong`(_ part: String, _ isEmpty: Bool) async throws {
        let (server, host, alice) = try await alice()
        let question = try host.question(server, ids: [alice.id])
        let proof = try await alice.passOne(pin: "1234", permit: alice.permit(server))
        let bad: [UInt8] = isEmpty ? [] : [4] + [UInt8](repeating: 0, count: 64)
        var first = PassOneRequest(
            mpinID: alice.mpinID, u: part == "U" ? bad : proof.u, ut: part == "UT" ? bad : proof.ut)
        first.ask = HexOctets(question.octets)
        first.askTag = HexOctets(try host.tag(question))
        let begun = try read(PassOneResponse.self, await server.send("POST", Route.passOne, first))
        let v = try proof.answer(y: begun.y)
        let ended = try read(
            PassTwoResponse.self,
            await server.send(
                "POST", Route.passTwo,
                PassTwoRequest(
                    mpinID: alice.mpinID, v: part == "V" ? bad : v, wid: "0", otp: false, n: begun.n))
        )
        let (_, verdict) = try await host.redeem(server, ended, question)
        #expect(verdict.verdict == .wrong)
        #expect(verdict.triesLeft == 2)
    }

    @Test func `the log of a login has no mpinId, code, secret or one-time token`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        for pin in ["1234", "4321"] { _ = try await host.login(server, alice, pin: pin) }
        let notes = server.notes.withLock { $0 }
        #expect(notes.count > 10)
        for note in notes where note.name != "route" {
            #expect(note.value.utf8.count < 16, "\(note.name) \(note.value)")
        }
        #expect(notes.contains(LogField("id", hexText([UInt8](alice.id.octets.prefix(4))))))
        #expect(notes.contains(LogField("verdict", "granted")))
    }

    @Test func `a flood for the same mpinId from another source disturbs no login`() async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        let stranger = Peer.address("198.51.100.7")
        let flood = Task {
            while !Task.isCancelled {
                let first = PassOneRequest(mpinID: alice.mpinID, u: [4], ut: [4])
                _ = try? await server.send("POST", Route.passOne, first, peer: stranger)
                let second = PassTwoRequest(mpinID: alice.mpinID, v: [4], wid: "0", otp: false)
                _ = try? await server.send("POST", Route.passTwo, second, peer: stranger)
            }
        }
        for _ in 0..<100 { #expect(try await alice.login(server, pin: "1234") == 200) }
        flood.cancel()
        await flood.value
        let (left, locked) = try await counted(server, alice)
        #expect(left == 2)
        #expect(locked == nil)
    }

    /// The tries left and the lock after one more try from the owner's source.
    private func counted(_ server: Server, _ who: Enrolled) async throws -> (UInt16, UInt32?) {
        let record = PassOneRecord(
            id: who.id, source: "192.0.2.1", u: [], ut: [], y: Challenge(repeating: 1),
            binding: .nothing,
            host: nil, hostEpoch: nil, origin: TryOrigin("s"))
        try await server.storage.keepPassOne(record, key: .source("192.0.2.1"))
        let verification = try #require(
            await server.storage.beginVerification(id: who.id, key: .source("192.0.2.1")))
        return (verification.triesLeft, verification.lockedSeconds)
    }
}
