// SPDX-License-Identifier: Apache-2.0
// A device approves or denies, the console gets one verdict, a granted session is logged out (T 22, T 29).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct ApprovalTests {
    @Test func `the device gets its answer before the console asks, and the console is granted once`()
        async throws
    {
        let house = try await House()
        let console = try await house.open()
        #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
        try await house.expectLogin(console)
        for _ in 0..<2 {
            let (status, verdict) = try await console.settle(house.server)
            #expect(status == 408)
            #expect(verdict.verdict == .notApproved)
            #expect(verdict.id == .zero)
        }
        let kinds = try await house.server.storage.auditRecords(AuditQuery(), limit: 2).map(\.event.kind)
        #expect(kinds == ["login", "session.approve"])
    }

    @Test func `of a hundred requests for one approval one is granted`() async throws {
        let house = try await House()
        let console = try await house.open()
        #expect(try await house.alice.answer(house.server, console.wid).status == 200)
        let body = [UInt8](try JSONEncoder().encode(AuthenticateRequest(a: console.question.a)))
        let server = house.server
        let statuses = await together(100) { await server.send("POST", Route.authenticate, body).status }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 408 }.count == 99)
    }

    @Test func `a device approves by the access number too`() async throws {
        let house = try await House()
        let console = try await house.open()
        let answer = try read(
            AuthenticateResponse.self, await house.alice.answer(house.server, console.number))
        #expect(try answer.code == console.code())
        #expect(try await console.settle(house.server).status == 200)
    }

    @Test func `after a lost answer one more proof gets the same code`() async throws {
        let house = try await House()
        let console = try await house.open()
        _ = try await house.alice.answer(house.server, console.wid)
        try await house.expectLogin(console)
    }

    @Test func `wrong PINs are counted and lock, but do not end the session`() async throws {
        let house = try await House()
        let console = try await house.open()
        for (status, told) in [
            (401, ["message", "triesLeft"]), (401, ["message", "triesLeft"]),
            (403, ["message", "retryAfter", "triesLeft"]), (403, ["message", "retryAfter", "triesLeft"]),
        ] {
            let answer = try await house.alice.answer(house.server, console.wid, pin: "4321")
            #expect(answer.status == status)
            #expect(try keys(answer) == told)
        }
        #expect(try await house.alice.answer(house.server, console.wid).status == 403)
        #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
        _ = try await house.server.administer(
            "POST", AdminRoute.unlockUser, UserRequest(id: house.alice.id))
        try await house.expectLogin(console)
    }

    @Test func `a denial ends the session, gives no code, and needs a right proof`() async throws {
        let house = try await House()
        let console = try await house.open()
        #expect(
            try await house.alice.answer(house.server, console.wid, pin: "4321", deny: true).status == 401)
        let denied = try read(
            AuthenticateResponse.self, await house.alice.answer(house.server, console.wid, deny: true))
        #expect(denied.code == nil)
        #expect(denied.logoutData == nil)
        let (status, verdict) = try await console.settle(house.server)
        #expect(status == 408)
        #expect(verdict.verdict == .notApproved)
        #expect(try await look(house.server, console.wid) == nil)
        let record = try #require(
            await house.server.storage.auditRecords(AuditQuery(), limit: 1).first
        ).event
        #expect(record.kind == "session.deny")
    }

    @Test func `only a device that may approve a session can end it without a PIN`() async throws {
        let house = try await House()
        let console = try await house.open()
        let bob = try await House.device(house.server, "bob")
        func aborts(_ device: Enrolled?, wid: String = console.wid) async throws -> Bool {
            var asked = CodeStatusRequest(status: "abort", wid: wid)
            try device?.tag(&asked)
            #expect(try await house.server.send("POST", Route.codeStatus, asked).status == 200)
            return try await look(house.server, console.wid) == nil
        }
        for stranger in [nil, bob] {
            #expect(try await !aborts(stranger))
            #expect(try await !aborts(stranger, wid: console.number))
        }
        #expect(try await aborts(house.alice))
        #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
        let event = try await house.server.storage.auditRecords(AuditQuery(), limit: 1).first?.event
        #expect(event?.kind == "session.abort" && event?.subject == String(hexText(house.alice.id).prefix(8)))
    }

    @Test func `a revocation takes effect before the proof and until the console asks`() async throws {
        let house = try await House()
        let (early, late) = (try await house.open(), try await house.open())
        #expect(try await house.alice.answer(house.server, early.wid).status == 200)
        let seen = try #require(await look(house.server, late.wid)?.seen).octets
        let proof = try await house.alice.prove(house.server, seen: seen, wid: late.wid)
        _ = try await house.server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        #expect(try await house.alice.redeem(house.server, proof).status == 403)
        let (status, verdict) = try await early.settle(house.server)
        #expect(status == 403)
        #expect(verdict.verdict == .revoked)
        #expect(verdict.id == .zero)
        #expect(try await early.settle(house.server).verdict.verdict == .notApproved)
        #expect(try await late.settle(house.server).verdict.verdict == .notApproved)
    }

    @Test func `after the session's life a proof gets 412, and an approval is void`() async throws {
        let house = try await House()
        let (late, forgotten) = (try await house.open(), try await house.open())
        #expect(try await house.alice.answer(house.server, forgotten.wid).status == 200)
        let seen = try #require(await look(house.server, late.wid)?.seen).octets
        house.server.clock.advance(seconds: 80)
        let inTime = try await house.alice.prove(house.server, seen: seen, wid: late.wid)
        house.server.clock.advance(seconds: 10)
        #expect(try await house.alice.redeem(house.server, inTime).status == 412)
        let tooLate = try await house.alice.prove(house.server, seen: seen, wid: late.wid)
        #expect(try await house.alice.redeem(house.server, tooLate).status == 412)
        for console in [late, forgotten] {
            #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
        }
        // None of this was counted against alice.
        try await house.expectLogin(try await house.open())
    }

    @Test func `an authOTT is redeemed once, where it belongs, within a minute`() async throws {
        let house = try await House()
        let console = try await house.open()
        let seen = try #require(await look(house.server, console.wid)?.seen).octets
        let old = try await house.alice.prove(house.server, seen: seen, wid: console.wid)
        house.server.clock.advance(seconds: 61)
        #expect(try await house.alice.redeem(house.server, old).status == 412)
        let proof = try await house.alice.prove(house.server, seen: seen, wid: console.wid)
        for a in [nil, console.question.a] {
            let elsewhere = AuthenticateRequest(mpinResponse: proof, a: a)
            #expect(try await house.server.send("POST", Route.authenticate, elsewhere).status == 408)
        }
        let login = try await house.alice.prove(house.server, pin: "1234")
        #expect(try await house.alice.redeem(house.server, login).status == 412)
        #expect(try await house.alice.redeem(house.server, proof).status == 200)
        #expect(try await house.alice.redeem(house.server, proof).status == 412)
        #expect(try await console.settle(house.server).status == 200)
        for body in ["", "{}", "{\"mpinResponse\": {}}", "{\"A\": \"00\"}"] {
            let answer = await house.server.send("POST", Route.mobileAuthenticate, [UInt8](body.utf8))
            #expect(answer.status == 400)
            #expect(answer.body.isEmpty)
        }
    }

    @Test func `a granted session is logged out once, by its own user and token`()
        async throws
    {
        let house = try await House()
        let console = try await house.open()
        let approved = try read(
            AuthenticateResponse.self, await house.alice.answer(house.server, console.wid))
        let logout = try #require(LogoutData(approved.logoutData))
        let url = try #require(approved.logoutURL)
        #expect(logout.userId == "alice")
        func logOut(_ data: LogoutData) async throws -> Int {
            try await house.server.send("POST", url, data).status
        }
        #expect(try await logOut(logout) == 400)
        #expect(try await console.settle(house.server).status == 200)
        #expect(try await logOut(LogoutData(userId: "bob", sessionToken: logout.sessionToken)) == 400)
        #expect(try await logOut(LogoutData(userId: "alice", sessionToken: "")) == 400)
        house.server.clock.advance(seconds: 3600)
        await house.server.context.purge()
        #expect(try await logOut(logout) == 200)
        #expect(try await logOut(logout) == 400)
        let record = try #require(
            await house.server.storage.auditRecords(AuditQuery(), limit: 1).first
        ).event
        #expect(record.kind == "session.logout")
        #expect(record.attempt == hexText([UInt8](console.question.a.octets.prefix(8))))
        #expect(await house.server.send("POST", url, [UInt8]("{}".utf8)).status == 400)
    }

    @Test func `the codes of two sessions differ, and a removed host gets none`() async throws {
        let house = try await House()
        let (one, two) = (try await house.open(), try await house.open())
        #expect(try one.code() != two.code())
        let answer = try read(AuthenticateResponse.self, await house.alice.answer(house.server, one.wid))
        #expect(try answer.code == one.code())
        _ = try await house.server.administer(
            "POST", AdminRoute.removeHost, HostRequest(host: "prod-db1"))
        #expect(try await house.alice.answer(house.server, two.wid).status == 412)
        let settled = try await house.server.send(
            "POST", Route.authenticate, AuthenticateRequest(a: one.question.a))
        #expect(settled.status == 403)
        #expect(try keys(settled) == ["message", "version"])
    }

    @Test func `a question that opened no session gets no sealed answer`() async throws {
        let house = try await House()
        let unknown = try QuestionHash(exactly: house.alice.id.octets)
        for (a, status) in [(hexText(unknown), 408), ("", 400)] {
            let body = [UInt8](#"{"A":"\#(a)"}"#.utf8)
            let answer = await house.server.send("POST", Route.authenticate, body)
            #expect(answer.status == status)
            #expect(try keys(answer) == ["message", "version"])
        }
        let otp = AuthenticateRequest(a: unknown, id: house.alice.id)
        #expect(try await house.server.send("POST", Route.authenticate, otp).status == 408)
    }

    @Test func `a restart between any two of its requests loses no session`() async throws {
        let house = try await House()
        let (console, aborted) = (try await house.open(), try await house.open())
        let second = try await house.server.restarted()
        let seen = try #require(await look(second, console.wid)?.seen).octets
        _ = try await aborted.abort(second, a: aborted.question.a)
        let third = try await second.restarted()
        #expect(try await look(third, aborted.wid) == nil)
        let proof = try await house.alice.prove(third, seen: seen, wid: console.wid)
        let fourth = try await third.restarted()
        let approved = try read(AuthenticateResponse.self, await house.alice.redeem(fourth, proof))
        let fifth = try await fourth.restarted()
        #expect(try await console.settle(fifth).verdict.verdict == .granted)
        let sixth = try await fifth.restarted()
        #expect(try await console.settle(sixth).verdict.verdict == .notApproved)
        let data = try #require(approved.logoutData)
        #expect(try await sixth.send("POST", Route.logout, data).status == 200)
        let seventh = try await sixth.restarted()
        #expect(try await seventh.send("POST", Route.logout, data).status == 400)
        withExtendedLifetime((house.server, second, third, fourth, fifth, sixth)) {}
    }
}
