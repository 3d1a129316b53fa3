// SPDX-License-Identifier: Apache-2.0
// Whether an account is revoked, which its host asks before it accepts a backup code; and questions that are
// sent to the wrong call.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

extension TestHost {
    /// Whether the server reports, under this host's key, that all of these identities are revoked.
    func isRevoked(_ server: Server, _ ids: [IdentityHash]) async throws -> Bool {
        let question = try question(server, service: "standing", ids: ids)
        let answer = try read(
            StandingResponse.self,
            await server.send(
                "POST", Route.standing, SealedRequest(ask: question.octets, askTag: tag(question))))
        let standing = key.open(
            standing: answer.standing.octets, tag: answer.standingTag.octets, to: question.a)
        return try #require(standing).isRevoked
    }
}

@Suite(.slow) struct StandingTests {
    @Test func `an account is revoked if all its identities are, or its user is`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let here = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let phone = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        let bob = try await host.enrol(server, "bob", code: server.add("bob"), pin: "1234")
        let ids = [here.id, phone.id]
        let unknown = IdentityHash(repeating: 7)
        for ids in [[], ids, [unknown], [bob.id]] { #expect(try await !host.isRevoked(server, ids)) }
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(id: here.id))
        #expect(try await host.isRevoked(server, [here.id]))
        #expect(try await !host.isRevoked(server, ids))
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        #expect(try await host.isRevoked(server, ids))
        // An identity that the server does not know counts neither for nor against the account.
        #expect(try await host.isRevoked(server, ids + [unknown]))
        #expect(try await !host.isRevoked(server, [unknown]))
        #expect(try await !host.isRevoked(server, ids + [bob.id]))
    }

    @Test func `a lock does not refuse backup codes`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        for _ in 0..<4 { _ = try await host.login(server, alice, pin: "1235") }
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .blocked)
        #expect(try await !host.isRevoked(server, [alice.id]))
    }

    @Test func `a host's request for a standing is sealed and fresh`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let question = try host.question(server, service: "standing", ids: [alice.id])
        func send(_ tag: [UInt8]) async throws -> Int {
            try await server.send(
                "POST", Route.standing, SealedRequest(ask: question.octets, askTag: tag)
            ).status
        }
        #expect(try await send([UInt8](repeating: 0, count: 32)) == 403)
        #expect(try await send(host.tag(question)) == 200)
        #expect(try await send(host.tag(question)) == 408)
        for body in ["", "{}", "[]", #"{"ask":"00"}"#] {
            #expect(await server.send("POST", Route.standing, [UInt8](body.utf8)).status == 400)
        }
    }

    /// Each reserved service is accepted by its own call and by no other.
    @Test(arguments: [
        "bind", "enroll", "change-pin", "move", "standing", "browser", "application", "push", "webauthn",
    ])
    func `a question of a reserved service is refused by every other call`(_ service: String) async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        var taken: [String] = []
        for path in [Route.user, Route.passOne, Route.getQrUrl, Route.otp, Route.standing] {
            let ids = path == Route.user ? [] : [alice.id]
            let question = try host.question(server, service: service, ids: ids)
            let (octets, tag) = (question.octets, try host.tag(question))
            let response: Response
            switch path {
            case Route.user:
                var asked = RegisterRequest(userId: "alice")
                (asked.ask, asked.askTag) = (HexOctets(octets), HexOctets(tag))
                response = try await server.send("PUT", path, asked)
            case Route.passOne:
                var first = PassOneRequest(mpinID: alice.mpinID, u: [4], ut: [4])
                (first.ask, first.askTag) = (HexOctets(octets), HexOctets(tag))
                response = try await server.send("POST", path, first)
            case Route.otp:
                let tags = [UInt8](repeating: 0, count: 32)
                response = try await server.send(
                    "POST", path, OTPTagsRequest(ask: octets, askTag: tag, otpTags: tags))
            default:
                response = try await server.send("POST", path, SealedRequest(ask: octets, askTag: tag))
            }
            if response.status == 200 { taken.append(path) } else { #expect(response.status == 400) }
        }
        let own = ["enroll": Route.user, "change-pin": Route.passOne, "standing": Route.standing]
        #expect(taken == own[service].map { [$0] } ?? [])
    }

    @Test func `a login's question is refused as a request for a standing`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let question = try host.question(server, service: "sudo", ids: [])
        let answer = try await server.send(
            "POST", Route.standing, SealedRequest(ask: question.octets, askTag: host.tag(question)))
        #expect(answer.status == 400)
    }
}
