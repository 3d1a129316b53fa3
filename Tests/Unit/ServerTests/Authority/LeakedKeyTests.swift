// SPDX-License-Identifier: Apache-2.0
// A host's key, or a copy of everything that the server has, is stolen: a rotation makes it worthless.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct LeakedKeyTests {
    /// The status of a sealed question: 200 if the server knows its key.
    private func status(_ server: Server, _ host: TestHost) async throws -> Int {
        let question = try host.question(server, ids: [])
        var first = PassOneRequest(mpinID: [UInt8]("{}".utf8), u: [4], ut: [4])
        first.ask = HexOctets(question.octets)
        first.askTag = HexOctets(try host.tag(question))
        return try await server.send("POST", Route.passOne, first).status
    }

    @Test func `after the rotation a leaked key is refused, even for a login that it began`() async throws {
        let server = try Server()
        let leaked = try await server.join("prod-db1")
        let alice = try await leaked.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let begun = try leaked.question(server, ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: begun, tag: leaked.tag(begun))
        let code = try await server.add("bob")
        let registered = try await leaked.register(server, "bob", code: code)
        let new = try await server.join("prod-db1", rotate: true, leaked: true)
        #expect(try await status(server, leaked) == 403)
        #expect(try await status(server, new) == 200)
        let answer = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: begun.a))
        #expect(answer.status == 403)
        #expect(try JSONDecoder().decode(AuthenticateResponse.self, from: Data(answer.body)).answer == nil)
        // A registration began with a question under the leaked key; its share is not sealed under that key.
        let (mpinID, regOTT) = (registered.registered.mpinId.text, registered.registered.regOTT)
        let share = await server.send(
            "GET",
            "\(Route.signature)/\(mpinID)?regOTT=\(regOTT)&A=\(HexOctets(registered.question.a).text)")
        #expect(share.status == 403)
        #expect(try await new.login(server, alice, pin: "1234").verdict.verdict == .granted)
    }

    @Test func `a login whose epoch ends before the answer gets no sealed answer`()
        async throws
    {
        let server = try Server()
        let old = try await server.join("prod-db1")
        let alice = try await old.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        _ = try await server.join("prod-db1", rotate: true)
        for (seconds, status) in [(Int64(604_700), 200), (110, 403)] {
            server.clock.advance(seconds: seconds - 20)
            let question = try old.question(server, ids: [alice.id])
            let proof = try await alice.prove(server, pin: "1234", question: question, tag: old.tag(question))
            server.clock.advance(seconds: 20)
            let answer = try await server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: question.a))
            #expect(answer.status == status)
            let said = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(answer.body))
            #expect((said.answer != nil) == (status == 200))
        }
    }

    @Test func `a copy of database and folder from before the rotation gives no later key`() async throws {
        let server = try Server()
        let old = try await server.join("prod-db1")
        let alice = try await old.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let thief = try server.copied()
        // Until the rotation the thief's copy is as good as the server,
        #expect(try await status(thief, old) == 200)
        let new = try await server.join("prod-db1", rotate: true, leaked: true)
        // and after it neither accepts a key of the other.
        #expect(try await status(thief, new) == 403)
        #expect(try await status(server, old) == 403)
        #expect(try await new.login(server, alice, pin: "1234").verdict.verdict == .granted)
        // The same rotation in the copy gives another key.
        let theirs = try await thief.join("prod-db1", rotate: true, leaked: true)
        #expect(theirs.key.epoch == new.key.epoch)
        #expect(try await status(server, theirs) == 403)
        #expect(try await status(thief, new) == 403)
    }

    @Test func `a key that is put in the place of another in the database does not open`() async throws {
        let server = try Server()
        let one = try await server.join("prod-db1")
        _ = try await server.join("build-7")
        let key = try #require(try await server.storage.host("build-7")?.keys.first)
        _ = try await server.storage.rotateHost(
            "prod-db1", join: JoinCodeRecord(joinID: [1], sealedKey: [2]), hasLeaked: true,
            key: { _ in key.sealedKey }, recording: AuditEvent(kind: "host.rotate", subject: "prod-db1"))
        #expect(try await status(server, one) == 500)
    }
}
