// SPDX-License-Identifier: Apache-2.0
// `mpind user suspend` and `resume`: what a suspended user gets at each kind of login.
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

extension Server {
    func suspend(_ name: String = "alice", seconds: Int? = nil) async throws {
        var asked = SuspendRequest(userId: name)
        asked.seconds = seconds
        _ = try read(SuspensionMessage.self, await administer("POST", AdminRoute.suspendUser, asked))
    }

    func resume(_ name: String = "alice") async throws {
        let asked = UserRequest(userId: name)
        #expect(try await administer("POST", AdminRoute.resumeUser, asked).status == 200)
    }
}

@Suite(.slow) struct SuspensionTests {
    @Test func `at a console a suspended user gets one answer to right and wrong PINs, and none is counted`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        #expect(try await host.login(server, alice, pin: "4321").verdict.triesLeft == 2)
        try await server.suspend()
        for pin in ["1234", "4321", "1", "2", "3", "1234"] {
            let (status, verdict) = try await host.login(server, alice, pin: pin)
            #expect(status == 403)
            #expect(verdict.verdict == .revoked)
            #expect(verdict.triesLeft == nil && verdict.secondsUntilRelease == 0)
        }
        let last = try #require(await server.storage.auditRecords(AuditQuery(), limit: 1).first).event
        #expect(last.kind == "login" && last.fields.contains(AuditField("verdict", "suspended")))
        #expect(server.notes.withLock { $0.contains(LogField("verdict", "suspended")) })
        try await server.resume()
        #expect(try await host.login(server, alice, pin: "4321").verdict.triesLeft == 1)
        #expect(try await host.login(server, alice, pin: "1234").status == 200)
    }

    @Test func `a user who is suspended between proof and redemption is refused`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let question = try host.question(server, ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        try await server.suspend()
        #expect(try await host.redeem(server, proof, question).verdict.verdict == .revoked)
        let second = try host.question(server, ids: [alice.id])
        let late = try await alice.prove(server, pin: "1234", question: second, tag: host.tag(second))
        try await server.resume()
        // The proof was made during the suspension, so it does not count.
        #expect(try await host.redeem(server, late, second).verdict.verdict == .revoked)
        #expect(try await host.login(server, alice, pin: "1234").status == 200)
    }

    @Test(arguments: [true, false])
    func `a suspended device gets 403, keeps its token, and logs in after the suspension`(
        _ isBound: Bool
    ) async throws {
        let server = try Server()
        let alice = try await House.device(server, "alice", bound: isBound)
        let bob = try await House.device(server, "bob", bound: isBound)
        try await server.suspend(seconds: 3600)
        for pin in ["1234", "4321", "4321", "4321", "1234"] {
            let proof = try await alice.prove(server, pin: pin)
            let answer = try await server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof))
            #expect(answer.status == 403)
            let said = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(answer.body))
            #expect(said.message == "Suspended")
            #expect(said.revoked == (isBound ? true : nil))
            #expect(said.triesLeft == nil && said.retryAfter == nil)
        }
        #expect(try await bob.login(server, pin: "1234") == 200)
        server.clock.advance(seconds: 3599)
        #expect(try await alice.login(server, pin: "1234") == 403)
        server.clock.advance(seconds: 1)
        #expect(try await alice.login(server, pin: "1234") == 200)
        server.clock.advance(seconds: -10)
        #expect(try await alice.login(server, pin: "1234") == 403)
    }

    @Test func `a client that has a token without its device key learns nothing of a suspension`()
        async throws
    {
        let server = try Server()
        let alice = try await House.device(server, "alice")
        try await server.suspend()
        for pin in ["1234", "4321"] { #expect(try await alice.stolen.login(server, pin: pin) == 401) }
    }

    @Test func `a user who is blocked and suspended gets the suspension first, and the block after it`()
        async throws
    {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        for status in [401, 401, 410] { #expect(try await alice.login(server, pin: "4321") == status) }
        try await server.suspend()
        for pin in ["1234", "4321"] { #expect(try await alice.login(server, pin: pin) == 403) }
        try await server.resume()
        #expect(try await alice.login(server, pin: "1234") == 410)
    }

    @Test func `a suspended second device approves nothing, and its earlier approvals end`() async throws {
        let house = try await House()
        let server = house.server
        let (before, during) = (try await house.open(), try await house.open())
        #expect(try await house.alice.answer(server, before.wid).status == 200)
        try await server.suspend()
        let refused = try await house.alice.answer(server, during.wid)
        #expect(refused.status == 403)
        #expect(try await house.alice.answer(server, during.wid, deny: true).status == 403)
        #expect(try await before.settle(server).verdict.verdict == .notApproved)
        #expect(try await during.settle(server).verdict.verdict == .notApproved)
        try await server.resume()
        #expect(try await before.settle(server).verdict.verdict == .notApproved)
        try await house.expectLogin(during)
    }

    @Test func `a browser does not let a suspended user in, and their device gets 403`() async throws {
        let server = try Server.compatible()
        let (alice, bob) = (try await server.milagroDevice("alice"), try await server.milagroDevice("bob"))
        let page = try await Page.open(server)
        try await server.suspend()
        #expect(try await alice.approve(server, page.wid).status == 403)
        async let waiting = bob.approve(server, page.wid)
        let ticket = try await page.approved(server).authOTT
        try await server.suspend("bob")
        #expect(try await page.redeem(server, ticket).status == 408)
        #expect(try await waiting.status == 403)
    }

    @Test func `a suspension ends the one-time passwords made before it`() async throws {
        let house = try await House()
        let server = house.server
        func living() async throws -> Bool {
            let question = OTPQuestion(
                a: try QuestionHash(exactly: randomOctets(32)), ids: [house.alice.id], host: "prod-db1",
                hostEpoch: 1, source: "prod-db1/local:1000", life: Limits.minute)
            return try await server.storage.askOTPs(question).contains { $0 != nil }
        }
        let proof = try await house.alice.prove(server, pin: "1234", otp: true)
        let asked = AuthenticateRequest(mpinResponse: proof)
        #expect(try await server.send("POST", Route.authenticate, asked).status == 200)
        #expect(try await living())
        try await server.suspend()
        #expect(try await !living())
        let another = try await house.alice.prove(server, pin: "1234", otp: true)
        let refused = AuthenticateRequest(mpinResponse: another)
        #expect(try await server.send("POST", Route.authenticate, refused).status == 403)
        try await server.resume()
        #expect(try await !living())
    }

    @Test func `a host that asks before it accepts a backup code learns of the suspension`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        func isOut() async throws -> Bool { try await host.isRevoked(server, [alice.id]) }
        #expect(try await !isOut())
        try await server.suspend()
        #expect(try await isOut())
        try await server.resume()
        #expect(try await !isOut())
    }

    @Test func `an external RPA gets 403 for a suspended user`() async throws {
        let application = Application()
        application.says(200, "{\"forceActivate\": true}")
        let server = try application.server { $0.authenticateURL = "/mpinAuthenticateHere" }
        let alice = try await Enrolled.onDevice(server, "alice", code: nil, pin: "1234")
        try await server.suspend()
        for pin in ["1234", "4321", "4321", "4321"] {
            let proof = try await alice.prove(server, pin: pin)
            let answer = try await server.redeemAsApplication(proof.authOTT)
            #expect(answer.status == 403)
            #expect(answer.message == "Suspended")
        }
        try await server.resume()
        let proof = try await alice.prove(server, pin: "1234")
        #expect(try await server.redeemAsApplication(proof.authOTT).status == 200)
    }

    @Test func `a proof from before the suspension changes no PIN`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let question = try host.question(server, service: "change-pin", ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        try await server.suspend()
        #expect(try await !host.register(server, "alice", authOTT: proof.authOTT).registered.active.isOn)
        try await server.resume()
        let anew = try host.question(server, service: "change-pin", ids: [alice.id])
        let again = try await alice.prove(server, pin: "1234", question: anew, tag: host.tag(anew))
        #expect(try await host.register(server, "alice", authOTT: again.authOTT).registered.active.isOn)
    }
}
