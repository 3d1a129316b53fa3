// SPDX-License-Identifier: Apache-2.0
// A changed PIN, from the old one's proof to its revocation, with a kill between any two steps (T 3, T 9).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

extension TestHost {
    /// Proves the old PIN for a change of PIN.
    fileprivate func proveChange(
        _ server: Server, _ who: Enrolled, pin: String = "1234"
    ) async throws -> (question: SealedQuestion, proof: PassTwoResponse) {
        let question = try question(server, service: "change-pin", ids: [who.id])
        return (question, try await who.prove(server, pin: pin, question: question, tag: tag(question)))
    }

    /// The verdict of a login, with today's permit or with one that was fetched earlier.
    fileprivate func verdict(
        _ server: Server, _ who: Enrolled, pin: String, permit: (date: UInt32, octets: [UInt8])? = nil
    ) async throws -> Verdict {
        let question = try question(server, ids: [who.id])
        let proof = try await who.prove(
            server, pin: pin, question: question, tag: tag(question), permit: permit)
        return try await redeem(server, proof, question).verdict.verdict
    }
}

@Suite(.slow) struct PINChangeTests {
    private func house() async throws -> (Server, TestHost, Enrolled) {
        let server = try Server()
        let host = try await server.join("prod-db1")
        return (server, host, try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234"))
    }

    @Test func `the old PIN registers the new one, whose first login revokes the old one and its copies`()
        async throws
    {
        let (server, host, old) = try await house()
        let permit = try await old.permit(server)
        let (_, proof) = try await host.proveChange(server, old)
        let (question, registered) = try await host.register(server, "alice", authOTT: proof.authOTT)
        let new = try await host.fetch(server, registered, question, pin: "5678")
        #expect(new.id != old.id)
        #expect(try await host.verdict(server, new, pin: "1234") == .wrong)
        #expect(try await host.verdict(server, old, pin: "1234") == .granted)
        #expect(try await host.verdict(server, new, pin: "5678") == .granted)
        // The old file, restored from a copy.
        #expect(try await host.verdict(server, old, pin: "1234", permit: permit) == .revoked)
        #expect(try await host.verdict(server, new, pin: "5678") == .granted)
        #expect(await server.send("GET", "\(Route.timePermit)/\(HexOctets(old.mpinID).text)").status == 410)
        let records = try await server.storage.auditRecords(AuditQuery(), limit: 9).map(\.event)
        let change = try #require(records.first { $0.kind == "pin.change" })
        #expect(change.subject == id8(new.id))
        #expect(change.host == "prod-db1")
        #expect(change.fields.contains(AuditField("user", "alice")))
        #expect(records.contains { $0.fields.contains(AuditField("revoked", id8(old.id))) })
    }

    @Test func `a proof to change a PIN lets nobody in, and a proof to log in changes no PIN`()
        async throws
    {
        let (server, host, old) = try await house()
        let (question, proof) = try await host.proveChange(server, old)
        for a in [question.a, nil] {
            let answer = try await server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: a))
            #expect(answer.status == 408)
        }
        let mobile = AuthenticateRequest(mpinResponse: proof)
        #expect(try await server.send("POST", Route.mobileAuthenticate, mobile).status == 412)
        let login = try host.question(server, ids: [old.id])
        let entering = try await old.prove(server, pin: "1234", question: login, tag: host.tag(login))
        let refused = try await host.register(server, "alice", authOTT: entering.authOTT)
        #expect(!refused.registered.active.isOn)
        #expect(try await host.redeem(server, entering, login).verdict.verdict == .granted)
        #expect(try await host.register(server, "alice", authOTT: proof.authOTT).registered.active.isOn)
        #expect(try await !host.register(server, "alice", authOTT: proof.authOTT).registered.active.isOn)
    }

    @Test func `a wrong old PIN changes nothing and is reported under the seal, with the tries left`()
        async throws
    {
        let (server, host, old) = try await house()
        for left in [UInt16(2), 1] {
            let (question, proof) = try await host.proveChange(server, old, pin: "4321")
            #expect(try await !host.register(server, "alice", authOTT: proof.authOTT).registered.active.isOn)
            let (status, verdict) = try await host.redeem(server, proof, question)
            #expect(status == 401)
            #expect(verdict.verdict == .wrong)
            #expect(verdict.triesLeft == left)
        }
        #expect(try await host.verdict(server, old, pin: "1234") == .granted)
    }

    @Test func `a proof changes a PIN only for its own name, account and host, and never a device's`()
        async throws
    {
        let (server, host, old) = try await house()
        let other = try await server.join("build-7")
        _ = try await server.add("bob")
        func expectRefusal(_ body: (String) async throws -> RegisterResponse) async throws {
            let proof = try await host.proveChange(server, old).proof
            #expect(try await !body(proof.authOTT).active.isOn)
        }
        try await expectRefusal { try await host.register(server, "bob", authOTT: $0).registered }
        try await expectRefusal {
            try await host.register(server, "alice", account: "root", authOTT: $0).registered
        }
        try await expectRefusal { try await other.register(server, "alice", authOTT: $0).registered }
        for bound in [Number(1), nil] {
            try await expectRefusal { authOTT in
                var asked = RegisterRequest(userId: "alice")
                asked.bound = bound
                asked.authOTT = authOTT
                return try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
            }
        }
        let device = try await House.device(server, "carol")
        let plain = try await device.prove(server, pin: "1234")
        #expect(try await !host.register(server, "carol", authOTT: plain.authOTT).registered.active.isOn)
    }

    @Test func `after a kill between any two steps one PIN works, and the change can be completed`()
        async throws
    {
        for killed in 0..<4 {
            let (first, host, old) = try await house()
            let permit = try await old.permit(first)
            var servers = [first]
            func restarting(after step: Int) async throws -> Server {
                let last = servers[servers.count - 1]
                guard step == killed else { return last }
                // If the change ends here, the user still has the old PIN.
                if step < 2 { #expect(try await host.verdict(last, old, pin: "1234") == .granted) }
                servers.append(try await last.restarted())
                return servers[servers.count - 1]
            }
            let proof = try await host.proveChange(first, old).proof
            var server = try await restarting(after: 0)
            let (question, registered) = try await host.register(server, "alice", authOTT: proof.authOTT)
            server = try await restarting(after: 1)
            let new = try await host.fetch(server, registered, question, pin: "5678")
            server = try await restarting(after: 2)
            #expect(try await host.verdict(server, new, pin: "5678") == .granted)
            server = try await restarting(after: 3)
            #expect(try await host.verdict(server, old, pin: "1234", permit: permit) == .revoked)
            #expect(try await host.verdict(server, new, pin: "5678") == .granted)
            withExtendedLifetime(servers) {}
        }
    }

    @Test func `an uncompleted change leaves the old PIN, and the next change revokes both`() async throws {
        let (server, host, old) = try await house()
        func change(_ who: Enrolled, _ pin: String, to new: String) async throws -> Enrolled {
            let proof = try await host.proveChange(server, who, pin: pin).proof
            let (question, registered) = try await host.register(server, "alice", authOTT: proof.authOTT)
            return try await host.fetch(server, registered, question, pin: new)
        }
        let lost = try await change(old, "1234", to: "5678")
        let (permit, lostPermit) = (try await old.permit(server), try await lost.permit(server))
        #expect(try await host.verdict(server, old, pin: "1234") == .granted)
        let new = try await change(old, "1234", to: "8765")
        #expect(try await host.verdict(server, new, pin: "8765") == .granted)
        #expect(try await host.verdict(server, lost, pin: "5678", permit: lostPermit) == .revoked)
        #expect(try await host.verdict(server, old, pin: "1234", permit: permit) == .revoked)
    }
}

private func id8(_ id: IdentityHash) -> String { hexText([UInt8](id.octets.prefix(4))) }
