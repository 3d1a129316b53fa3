// SPDX-License-Identifier: Apache-2.0
// Login hosts: joining, seals, nonces, rotation and removal.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct HostTests {
    @Test func `removing a host between registration and issue uses up neither code nor share`() async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let code = try await server.add("alice")
        let (question, registered) = try await host.register(server, "alice", code: code)
        let id = identityHash(registered.mpinId.octets)
        let gone = try await server.administer(
            "POST", AdminRoute.removeHost, HostRequest(host: "prod-db1"))
        try #require(gone.status == 200)
        let target =
            "\(Route.signature)/\(registered.mpinId.text)?regOTT=\(registered.regOTT)"
            + "&A=\(HexOctets(question.a).text)"
        #expect(await server.send("GET", target).status == 403)
        #expect(try await server.book.standing(authority: 1, hash: id) == .unknown)
        #expect(try await server.storage.identity(id: id) == nil)
        let alice = try await Enrolled.onDevice(server, "alice", code: code, pin: "1234")
        #expect(try await alice.login(server, pin: "1234") == 200)
    }

    @Test func `removing a host between the two shares does not use up the second one`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let (question, registered) = try await host.register(server, "alice", code: server.add("alice"))
        let target =
            "\(Route.signature)/\(registered.mpinId.text)?regOTT=\(registered.regOTT)"
            + "&A=\(HexOctets(question.a).text)"
        let first = try read(SignatureResponse.self, await server.send("GET", target))
        _ = try await server.administer("POST", AdminRoute.removeHost, HostRequest(host: "prod-db1"))
        #expect(await server.send("GET", Route.authorityClientSecret + "?" + first.params).status == 403)
        let id = identityHash(registered.mpinId.octets)
        #expect(try await server.book.standing(authority: 2, hash: id) == .unknown)
    }

    @Test func `a join code gives the key that mpind derives, once`() async throws {
        let server = try Server()
        let added = try read(
            HostCodeResponse.self,
            await server.administer("POST", AdminRoute.hosts, HostRequest(host: "prod-db1")))
        let code = try OneTimeCode(typed: secret(added.joinCode))
        let asked = try HostJoinRequest(host: "prod-db1", joinId: code.joinID())
        let joined = try read(HostJoinResponse.self, await server.send("POST", Route.host, asked))
        #expect(joined.epoch == added.epoch)
        let key = try HostKey(
            name: [UInt8]("prod-db1".utf8), epoch: joined.epoch, sealedKey: joined.sealedKey.octets,
            joinKey: code.joinKey(host: [UInt8]("prod-db1".utf8)))
        let host = TestHost(key: key)
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .granted)
        #expect(try await server.send("POST", Route.host, asked).status == 403)
    }

    @Test func `a wrong code is refused alike for each host, and only who has a code learns whose it is not`()
        async throws
    {
        let server = try Server()
        let added = try read(
            HostCodeResponse.self,
            await server.administer("POST", AdminRoute.hosts, HostRequest(host: "prod-db1")))
        _ = try await server.administer("POST", AdminRoute.hosts, HostRequest(host: "build-7"))
        let right = try OneTimeCode(typed: secret(added.joinCode)).joinID()
        for (id, status) in [([UInt8](repeating: 0, count: 16), 403), (right, 409)] {
            var answers: Set<[UInt8]> = []
            for host in ["build-7", "nobody"] + (status == 403 ? ["prod-db1"] : []) {
                let asked = HostJoinRequest(host: host, joinId: id)
                let response = try await server.send("POST", Route.host, asked)
                #expect(response.status == status)
                answers.insert(response.body)
            }
            #expect(answers.count == 1)
        }
        let asked = HostJoinRequest(host: "prod-db1", joinId: right)
        #expect(try await server.send("POST", Route.host, asked).status == 200)
        #expect(
            try await server.send("POST", Route.host, HostJoinRequest(host: "build-7", joinId: right)).status
                == 403)
    }

    @Test(arguments: [(-700, 408), (-590, 200), (590, 200), (700, 408)])
    func `a question's clock may be ten minutes off`(
        _ seconds: Int, _ status: Int
    ) async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let question = try host.question(server, ids: [], off: Int64(seconds))
        #expect(try await pass(server, question, host.tag(question)).status == status)
    }

    @Test func `a question is accepted once`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let question = try host.question(server, ids: [])
        let tag = try host.tag(question)
        let statuses = await together(20) { (try? await pass(server, question, tag).status) ?? 0 }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 408 }.count == 19)
    }

    @Test func `a tag with any bit flipped, of another host, or missing, is refused`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let other = try await server.join("build-7")
        let question = try host.question(server, ids: [])
        let tag = try host.tag(question)
        for bit in 0..<256 {
            var bad = tag
            bad[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try await pass(server, question, bad).status == 403)
        }
        #expect(try await pass(server, question, other.tag(question)).status == 403)
        #expect(try await pass(server, question, nil).status == 403)
        #expect(try await pass(server, question, []).status == 403)
        #expect(try await pass(server, question, tag).status == 200)
    }

    @Test func `after a rotation both keys are accepted for seven days`() async throws {
        let server = try Server()
        let old = try await server.join("prod-db1")
        let alice = try await old.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let new = try await server.join("prod-db1", rotate: true)
        for host in [old, new] {
            #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .granted)
        }
        server.clock.advance(seconds: 7 * 86_400 + 1)
        #expect(try await new.login(server, alice, pin: "1234").verdict.verdict == .granted)
        let late = try old.question(server, ids: [alice.id])
        #expect(try await pass(server, late, old.tag(late)).status == 403)
    }

    @Test func `a removed host is refused at once, even in the middle of a login`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let question = try host.question(server, ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        _ = try await server.administer("POST", AdminRoute.removeHost, HostRequest(host: "prod-db1"))
        let answer = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: question.a))
        #expect(answer.status == 403)
        #expect(try object(answer.body)["answer"] == nil)
        let late = try host.question(server, ids: [alice.id])
        #expect(try await pass(server, late, host.tag(late)).status == 403)
    }

    @Test func `a host that is added again does not get its old key back`() async throws {
        let server = try Server()
        let old = try await server.join("prod-db1")
        _ = try await server.administer("POST", AdminRoute.removeHost, HostRequest(host: "prod-db1"))
        let new = try await server.join("prod-db1")
        let question = try new.question(server, ids: [])
        #expect(try await pass(server, question, old.tag(question)).status == 403)
        #expect(try await pass(server, question, new.tag(question)).status == 200)
    }

    @Test func `the database has neither a host's join key nor its join code`() async throws {
        let server = try Server()
        let added = try read(
            HostCodeResponse.self,
            await server.administer("POST", AdminRoute.hosts, HostRequest(host: "prod-db1")))
        let code = try OneTimeCode(typed: secret(added.joinCode))
        let joinKey = try code.joinKey(host: [UInt8]("prod-db1".utf8))
        for file in ["mpind.db", "mpind.db-wal", "book.db", "book.db-wal"] {
            guard let data = try? Data(contentsOf: URL(filePath: server.folder + "/" + file)) else {
                continue
            }
            let octets = [UInt8](data)
            #expect(!octets.contains(revealed(joinKey)))
            #expect(!octets.contains(revealed(code.letters)))
            #expect(!octets.contains([UInt8](added.joinCode.utf8)))
        }
    }

    private func pass(_ server: Server, _ question: SealedQuestion, _ tag: [UInt8]?) async throws -> Response
    {
        var first = PassOneRequest(mpinID: [UInt8]("{}".utf8), u: [4], ut: [4])
        first.ask = HexOctets(question.octets)
        first.askTag = tag.map { HexOctets($0) }
        return try await server.send("POST", Route.passOne, first)
    }
}
