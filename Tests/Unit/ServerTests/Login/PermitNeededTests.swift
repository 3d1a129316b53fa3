// SPDX-License-Identifier: Apache-2.0
// A host begins a login without asking whether the server needs time permits: pass 1 tells it.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Testing

struct PermitNeededTests {
    private func passOne(
        _ who: Enrolled, pin: String, _ host: TestHost, _ question: SealedQuestion
    ) throws -> PassOneRequest {
        let proof = try who.passOne(pin: pin, permit: nil)
        var asked = PassOneRequest(mpinID: who.mpinID, u: proof.u, ut: [])
        asked.ask = HexOctets(question.octets)
        asked.askTag = HexOctets(try host.tag(question))
        return asked
    }

    @Test func `a server with permits answers 428 and leaves the host's question unused`() async throws {
        let server = try Server.compatible()
        let host = try await server.join("desk")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let question = try host.question(server, ids: [alice.id])
        for _ in 0..<2 {
            let answer = try await server.send(
                "POST", Route.passOne, passOne(alice, pin: "1234", host, question))
            #expect(answer.status == Int(RelayResponse.permitNeeded))
        }
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        let (status, verdict) = try await host.redeem(server, proof, question)
        #expect(status == 200 && verdict.verdict == .granted)
    }

    @Test func `a server without permits takes such a pass 1`() async throws {
        let server = try Server()
        let host = try await server.join("desk")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let question = try host.question(server, ids: [alice.id])
        let answer = try await server.send(
            "POST", Route.passOne, passOne(alice, pin: "1234", host, question))
        #expect(answer.status == 200)
    }

    /// Otherwise strangers could learn by it which hosts have joined.
    @Test func `the 428 does not depend on the host's tag`() async throws {
        let server = try Server.compatible()
        let host = try await server.join("desk")
        let alice = try await server.milagroDevice("alice")
        let question = try host.question(server, ids: [alice.id])
        var asked = try passOne(alice, pin: "1234", host, question)
        asked.askTag = HexOctets([UInt8](repeating: 0, count: 32))
        let answer = try await server.send("POST", Route.passOne, asked)
        #expect(answer.status == Int(RelayResponse.permitNeeded))
    }
}
