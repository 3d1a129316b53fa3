// SPDX-License-Identifier: Apache-2.0
// Revocation and the calendar: rows that are read again, permits for today, the hour after midnight (T 28).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct RevocationTests {
    private func revoke(_ server: Server, _ name: String) async throws {
        let answer = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: name))
        try #require(answer.status == 200)
    }

    @Test func `a revoked user is refused at once, even with a permit fetched before`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let permit = try await alice.permit(server)
        try await revoke(server, "alice")
        let question = try host.question(server, ids: [alice.id])
        let proof = try await alice.prove(
            server, pin: "1234", question: question, tag: host.tag(question), permit: permit)
        let (status, verdict) = try await host.redeem(server, proof, question)
        #expect(status == 403)
        #expect(verdict.verdict == .revoked)
    }

    @Test func `a revoked user gets that answer each time, and a right PIN locks nobody`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let bob = try await House.device(server, "bob")
        let permits = (try await alice.permit(server), try await bob.permit(server))
        for name in ["alice", "bob"] { try await revoke(server, name) }
        for _ in 0..<5 {
            let question = try host.question(server, ids: [alice.id])
            let proof = try await alice.prove(
                server, pin: "1234", question: question, tag: host.tag(question), permit: permits.0)
            #expect(try await host.redeem(server, proof, question).verdict.verdict == .revoked)
            let other = try await bob.prove(server, pin: "1234", permit: permits.1)
            let answer = try await server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: other))
            #expect(answer.status == 403)
            let said = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(answer.body))
            #expect(said.revoked == true)
        }
        for (pin, verdict) in [("1", Verdict.revoked), ("2", .revoked), ("3", .revoked), ("1234", .revoked)] {
            let question = try host.question(server, ids: [alice.id])
            let proof = try await alice.prove(
                server, pin: pin, question: question, tag: host.tag(question), permit: permits.0)
            let said = try await host.redeem(server, proof, question).verdict
            #expect(said.verdict == verdict)
            // Nothing distinguishes a right PIN from a wrong one.
            #expect(said.triesLeft == nil && said.secondsUntilRelease == 0)
        }
    }

    @Test func `a user who is revoked between proof and redemption is refused`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let question = try host.question(server, ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        try await revoke(server, "alice")
        #expect(try await host.redeem(server, proof, question).verdict.verdict == .revoked)
    }

    @Test func `a removed user is refused like a revoked one, and so is what they proved just before`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let question = try host.question(server, ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        let asked = UserRequest(userId: "alice")
        #expect(try await server.administer("POST", AdminRoute.removeUser, asked).status == 200)
        #expect(try await host.redeem(server, proof, question).verdict.verdict == .revoked)
        #expect(try await server.administer("POST", AdminRoute.removeUser, asked).status == 404)
        // The host refuses backup codes too, and another user of that name changes nothing.
        _ = try await server.add("alice")
        #expect(try await host.isRevoked(server, [alice.id]))
        #expect(try await server.book.standing(authority: 2, hash: alice.id) == .revoked)
    }

    @Test func `a revoked user is still refused after midnight with yesterday's permit`() async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        let permit = try await alice.permit(server)
        try await revoke(server, "alice")
        server.clock.toTomorrow(second: 1800)
        let proof = try await alice.prove(server, pin: "1234", permit: permit)
        let answer = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof))
        #expect(answer.status == 403)
    }

    @Test func `a revoked or unregistered identity gets no permit`() async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        let path = "\(Route.timePermit)/\(HexOctets(alice.mpinID).text)"
        let before = try read(TimePermitResponse.self, await server.send("GET", path))
        let second =
            "\(Route.authorityTimePermit)?hash_mpin_id=\(before.storageId)&signature=\(before.signature)"
        #expect(await server.send("GET", second).status == 200)
        try await revoke(server, "alice")
        #expect(await server.send("GET", path).status == 410)
        // The signature of a D-TA request does not expire; the authority's own book refuses it.
        #expect(await server.send("GET", second).status == 410)
        #expect(
            await server.send("GET", "\(Route.timePermit)/7b226e65766572223a2272656769737465726564227d")
                .status == 410)
    }

    /// As after a daemon that died between writing to its database and to the authority's book.
    @Test(arguments: ["repeated", "restarted", "neither"])
    func `an interrupted revocation stops permits, and the book learns of it`(
        _ mended: String
    ) async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        let path = "\(Route.timePermit)/\(HexOctets(alice.mpinID).text)"
        let first = try read(TimePermitResponse.self, await server.send("GET", path))
        let second =
            "\(Route.authorityTimePermit)?hash_mpin_id=\(first.storageId)&signature=\(first.signature)"
        _ = try await server.storage.revoke(
            .user("alice"), recording: AuditEvent(kind: "user.revoke", subject: "alice"))
        #expect(try await server.book.standing(authority: 2, hash: alice.id) == .issued)
        switch mended {
        case "repeated": try await revoke(server, "alice")
        case "restarted": await server.context.tellRevocations()
        default: break
        }
        #expect(await server.send("GET", second).status == 410)
        if mended != "neither" {
            #expect(try await server.book.standing(authority: 2, hash: alice.id) == .revoked)
        }
    }

    @Test func `permits are made for today, and for yesterday in the first hour`() async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        let today = server.clock.now.day
        let path = "\(Route.timePermit)/\(HexOctets(alice.mpinID).text)"
        let first = try read(TimePermitResponse.self, await server.send("GET", path))
        #expect(first.date == today)
        let second =
            "\(Route.authorityTimePermit)?hash_mpin_id=\(first.storageId)&signature=\(first.signature)"
        for (date, status) in [(today, 200), (today + 1, 410), (today + 7, 410)] {
            #expect(await server.send("GET", "\(second)&date=\(date)").status == status)
        }
        server.clock.toTomorrow(second: 1800)
        for (date, status) in [(today, 200), (today + 1, 200), (today - 1, 410)] {
            #expect(await server.send("GET", "\(second)&date=\(date)").status == status)
        }
        server.clock.advance(seconds: 3600)
        #expect(await server.send("GET", "\(second)&date=\(today)").status == 410)
    }

    @Test func `yesterday's permit logs in during the first hour of the day and not after it`() async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        let permit = try await alice.permit(server)
        server.clock.toTomorrow(second: 3000)
        let early = try await alice.prove(server, pin: "1234", permit: permit)
        #expect(
            try await server.send("POST", Route.authenticate, AuthenticateRequest(mpinResponse: early)).status
                == 200)
        server.clock.advance(seconds: 700)
        let late = try await alice.prove(server, pin: "1234", permit: permit)
        #expect(
            try await server.send("POST", Route.authenticate, AuthenticateRequest(mpinResponse: late)).status
                == 401)
    }

    /// Alice's proof shows which days the server tries: it is made with yesterday's permit.
    @Test(arguments: [
        (fetchedBy: "nobody", status: 200), ("alice", 401), ("bob", 200), ("alice at another source", 200),
        ("alice an hour ago", 401), ("alice from another server", 200),
    ])
    func `in the first hour only today's permit is tried for a client that has fetched it`(
        fetchedBy: String, status: Int
    ) async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        let bob = try await Enrolled.onDevice(server, "bob", code: server.add("bob"), pin: "1234")
        let permit = try await alice.permit(server)
        server.clock.toTomorrow(second: 10)
        let path = "\(Route.timePermit)/\(HexOctets((fetchedBy == "bob" ? bob : alice).mpinID).text)"
        switch fetchedBy {
        case "nobody": break
        case "alice at another source":
            #expect(await server.send("GET", path, peer: .address("198.51.100.7")).status == 200)
        case "alice from another server": #expect(try await server.replica().send("GET", path).status == 200)
        default: #expect(await server.send("GET", path).status == 200)
        }
        if fetchedBy == "alice an hour ago" { server.clock.advance(seconds: 3600) }
        let proof = try await alice.prove(server, pin: "1234", permit: permit)
        let answer = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof))
        #expect(answer.status == status)
    }

    @Test func `today's permit logs in during the first hour, whether or not its fetching was noted`()
        async throws
    {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        server.clock.toTomorrow(second: 10)
        let permit = try await alice.permit(server)
        for server in [server, try server.replica()] {
            let proof = try await alice.prove(server, pin: "1234", permit: permit)
            let answer = try await server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof))
            #expect(answer.status == 200)
        }
    }

    @Test func `the routes for several permits and for server secrets do not exist`() async throws {
        let server = try Server()
        for path in [
            "/dta2/timePermits?hash_mpin_id=00&count=9", "/dta2/serverSecret", "/timePermit", "/serverSecret",
        ] {
            #expect(await server.send("GET", path).status == 404)
        }
    }
}
