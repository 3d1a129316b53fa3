// SPDX-License-Identifier: Apache-2.0
// Opened host keys: found by what the database holds, a bounded number, wiped when they leave.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import TestSupport
import Testing

struct HostKeyCacheTests {
    private func key(_ epoch: UInt32 = 1) throws -> HostKey {
        try HostKey(name: [UInt8]("prod-db1".utf8), epoch: epoch, key: Secret(count: 32))
    }

    private func record(_ number: Int) -> HostKeyRecord {
        HostKeyRecord(epoch: 1, sealedKey: [UInt8](String(number).utf8))
    }

    @Test func `a key is opened once, and again for other octets, another epoch or another host`() throws {
        let cache = HostKeyCache()
        var opened = 0
        let records = [
            ("prod-db1", 1, [1]), ("prod-db1", 1, [2]), ("prod-db1", 2, [1]), ("build-7", 1, [1 as UInt8]),
        ]
        for _ in 0..<3 {
            for (host, epoch, sealedKey) in records {
                _ = try cache.key(
                    HostKeyRecord(epoch: UInt32(epoch), sealedKey: sealedKey), of: host
                ) {
                    opened += 1
                    return try key(UInt32(epoch))
                }
            }
        }
        #expect(opened == records.count)
    }

    @Test func `a key that cannot be opened is not kept`() throws {
        let cache = HostKeyCache()
        #expect(throws: SealFailure.notAuthentic) {
            try cache.key(record(0), of: "prod-db1") { throw SealFailure.notAuthentic }
        }
        _ = try cache.key(record(0), of: "prod-db1") { try key() }
    }

    @Test func `the key that was used longest ago gives way and is wiped`() throws {
        let cache = HostKeyCache()
        func ask(_ number: Int) throws -> OpenedHostKey {
            try cache.key(record(number), of: "prod-db1") { try key() }
        }
        weak let first = try ask(0)
        weak let second = try ask(1)
        for number in 2..<HostKeyCache.most { _ = try ask(number) }
        #expect(first != nil && second != nil)
        _ = try ask(0)
        _ = try ask(HostKeyCache.most)
        #expect(first != nil)
        #expect(second == nil)
    }

    @Test func `the keys of a host that is removed are wiped, and those of others are not`() throws {
        let cache = HostKeyCache()
        weak let removed = try cache.key(record(0), of: "prod-db1") { try key() }
        weak let other = try cache.key(record(0), of: "build-7") { try key() }
        cache.drop("prod-db1")
        #expect(removed == nil)
        #expect(other != nil)
    }
}

@Suite(.slow) struct HostKeyReplicaTests {
    private func pass(_ server: Server, _ question: SealedQuestion, _ tag: [UInt8]) async throws -> Response {
        var first = PassOneRequest(mpinID: [UInt8]("{}".utf8), u: [4], ut: [4])
        first.ask = HexOctets(question.octets)
        first.askTag = HexOctets(tag)
        return try await server.send("POST", Route.passOne, first)
    }

    /// Another server on the same database does not reach the keys that this one has opened.
    @Test(arguments: [AdminRoute.removeHost, AdminRoute.rotateHost])
    func `a key that another server took away is refused at once`(_ route: String) async throws {
        let server = try Server()
        let other = try server.replica()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        #expect(try await host.login(server, alice, pin: "1234").verdict.verdict == .granted)
        let proved = try host.question(server, ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: proved, tag: host.tag(proved))
        let gone = try await other.administer("POST", route, HostRequest(host: "prod-db1", hasLeaked: true))
        #expect(gone.status == 200)
        let answer = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: proved.a))
        #expect(answer.status == 403)
        #expect(try object(answer.body)["answer"] == nil)
        let late = try host.question(server, ids: [alice.id])
        #expect(try await pass(server, late, host.tag(late)).status == 403)
    }
}
