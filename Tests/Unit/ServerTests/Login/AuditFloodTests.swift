// SPDX-License-Identifier: Apache-2.0
// Acts that need no proof leave nothing among the records of logins, however often they are repeated.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

extension Server {
    /// How many records there are in all, and how many of them are among those of logins.
    fileprivate func recorded() async throws -> (inAll: Int, logins: Int) {
        let events = try await storage.auditRecords(AuditQuery(), limit: 1000).map(\.event)
        let logins = events.filter { [.logins, .lastLogin].contains(AuditRetention($0)) }
        return (events.count, logins.count)
    }
}

@Suite(.slow) struct AuditFloodTests {
    @Test(arguments: [Route.getQrUrl, Route.getAccessNumber])
    func `a stranger who opens and aborts browsers' sessions leaves no record`(_ route: String) async throws {
        let server = try Server.compatible()
        for _ in 0..<5 {
            let page = try await Page.open(server, route)
            let abort = CodeStatusRequest(status: "abort", wid: page.wid)
            let answer = try await server.send("POST", Route.codeStatus, abort)
            // Nor has it a line of its own in the log, however many there are.
            #expect(answer.status == 200 && !answer.isProven)
        }
        let page = try await Page.open(server)
        for word in ["wid", "user", "abort"] {
            let said = CodeStatusRequest(status: word, wid: page.wid)
            #expect(try await server.send("POST", Route.codeStatus, said).status == 200)
        }
        _ = try await page.poll(server)
        #expect(try await server.recorded() == (0, 0))
    }

    @Test func `one host's key leaves no record by asking for standings`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let before = try await server.recorded()
        for _ in 0..<5 { #expect(try await !host.isRevoked(server, [alice.id])) }
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        for _ in 0..<5 { #expect(try await host.isRevoked(server, [alice.id])) }
        // The administrator's own record.
        #expect(try await server.recorded() == (before.inAll + 1, before.logins))
    }

    /// No lock stops tries while an identity is suspended or revoked.
    @Test(arguments: ["suspended", "revoked"], [true, false])
    func `tries against an identity that cannot log in leave nothing among the logins`(
        _ state: String, _ isAtHost: Bool
    ) async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let name = "alice"
        let victim =
            isAtHost
            ? try await host.enrol(server, name, code: server.add(name), pin: "1234")
            : try await Enrolled.onDevice(server, name, code: server.add(name), pin: "1234", bound: false)
        let permit = try await victim.permit(server)
        if state == "revoked" {
            _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: name))
        } else {
            try await server.suspend()
        }
        let before = try await server.recorded()
        for number in 1...20 {
            if isAtHost {
                let question = try host.question(server, ids: [victim.id])
                let proof = try await victim.prove(
                    server, pin: "0000", question: question, tag: host.tag(question), permit: permit)
                _ = try await host.redeem(server, proof, question)
            } else {
                let peer = Peer.address("203.0.113.\(number)")
                let proof = try await victim.prove(server, pin: "0000", permit: permit, peer: peer)
                _ = try await victim.redeem(server, proof, peer: peer)
            }
        }
        let after = try await server.recorded()
        #expect(after.logins == before.logins)
    }
}
