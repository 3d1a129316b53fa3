// SPDX-License-Identifier: Apache-2.0
// A second device and its key: what a thief, a stranger and a proxy can do, and what the owner learns.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct DeviceTests {
    private func answer(
        _ server: Server, _ proof: PassTwoResponse, peer: Peer = Server.address
    ) async throws -> (status: Int, AuthenticateResponse) {
        let response = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof), peer: peer)
        return (
            response.status, try JSONDecoder().decode(AuthenticateResponse.self, from: Data(response.body))
        )
    }

    @Test func `a stolen token without its device key is answered like a wrong PIN, and causes no lock`()
        async throws
    {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let thief = try alice.stolen
        let records = try await server.storage.auditRecords(AuditQuery(), limit: 99).count
        for number in 0..<20 {
            let peer = Peer.address("198.51.\(number).1")
            let proof = try await thief.prove(server, pin: number == 10 ? "1234" : "4321", peer: peer)
            let (status, answer) = try await answer(server, proof, peer: peer)
            #expect(status == 401)
            #expect(answer.triesLeft == nil)
            #expect(answer.retryAfter == nil)
            #expect(answer.notice == nil)
        }
        #expect(try await server.storage.auditRecords(AuditQuery(), limit: 99).count == records)
        #expect(try await alice.login(server, pin: "1234") == 200)
    }

    @Test func `a thief with token and key has three tries from all addresses together`() async throws {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        for (number, left) in [2, 1, 0].enumerated() {
            let peer = Peer.address("198.51.\(number).1")
            let (status, answer) = try await answer(
                server, alice.prove(server, pin: "4321", peer: peer), peer: peer)
            #expect(status == (left == 0 ? 403 : 401))
            #expect(answer.triesLeft == left)
            #expect(answer.retryAfter == (left == 0 ? 60 : nil))
        }
        let peer = Peer.address("203.0.113.200")
        let (status, locked) = try await answer(
            server, alice.prove(server, pin: "1234", peer: peer), peer: peer)
        #expect(status == 403)
        #expect(try #require(locked.retryAfter) <= 60)
        server.clock.advance(seconds: 61)
        #expect(try await alice.login(server, pin: "1234") == 200)
    }

    @Test func `an unknown id is answered like a device whose tag is missing`() async throws {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let nobody = try Enrolled(
            mpinID: [UInt8]("{}".utf8), clientSecret: secret(revealed(alice.token.octets)), pin: "1",
            deviceKey: DeviceKey(copying: [UInt8](repeating: 9, count: 32)))
        let permit = try await alice.permit(server)
        let console = try await house.open()
        for stranger in [nobody, try alice.stolen] {
            for _ in 0..<5 {
                let proof = try await stranger.prove(server, pin: "4321", permit: permit)
                let (status, answer) = try await answer(server, proof)
                #expect(status == 401 && answer.triesLeft == nil && answer.retryAfter == nil)
                let told = try await stranger.answer(server, console.wid, permit: permit).status
                // For an id that a console does not list, the session does not exist, whatever the PIN.
                #expect(told == (stranger === nobody ? 412 : 401))
            }
        }
    }

    @Test
    func `a device gets a new epoch's key under its old one, which stays good until the new one is used`()
        async throws
    {
        let house = try await House()
        let (alice, path) = (house.alice, house.server.folder + "/server")
        let old = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let new =
            old.replacing("device-epoch = 1", with: "device-epoch = 2")
            .replacing("device-keys = ", with: "former-device-keys = ")
            + "device-keys = \(String(repeating: "7a", count: 32))\n"
        try new.write(to: URL(filePath: path), atomically: false, encoding: .utf8)
        let server = try await house.server.restarted()
        try await server.context.checkSecrets()
        let (status, granted) = try await answer(server, alice.prove(server, pin: "1234"))
        #expect(status == 200)
        let (key, tag) = (try #require(granted.deviceKey), try #require(granted.deviceKeyTag))
        let renewed = try alice.renewed(key.octets, tag: tag.octets)
        // The answer with the new key may get lost, so the old key is good until the new one has been used.
        #expect(try await alice.login(server, pin: "1234") == 200)
        let (again, next) = try await answer(server, renewed.prove(server, pin: "1234"))
        #expect(again == 200 && next.deviceKey == nil)
        #expect(try await alice.login(server, pin: "1234") == 401)
        #expect(try await renewed.login(server, pin: "1234") == 200)
    }

    @Test func `at the next login the owner reads the notice of wrong tries, under the device's seal`()
        async throws
    {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        for _ in 0..<2 {
            let peer = Peer.address("198.51.100.7")
            _ = try await answer(server, alice.prove(server, pin: "4321", peer: peer), peer: peer)
        }
        let proof = try await alice.prove(server, pin: "1234")
        let (status, granted) = try await answer(server, proof)
        #expect(status == 200)
        let notice = try #require(try alice.notice(granted, to: proof))
        #expect(notice.count == 2)
        #expect(notice.lastSource == [UInt8]("198.51.100.7".utf8))
        #expect(notice.lastSeconds == UInt64(server.clock.now.seconds))
        #expect(granted.triesLeft == nil)
        let again = try await alice.prove(server, pin: "1234")
        let (_, next) = try await answer(server, again)
        #expect(try alice.notice(next, to: again)?.count == 0)
        // A proxy cannot show the notice of another login.
        #expect(try alice.notice(granted, to: again) == nil)
    }

    @Test func `the owner of a host's PIN reads the notice of wrong tries, under the host's seal`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        for _ in 0..<2 { _ = try await host.login(server, alice, pin: "4321", source: "local:1001") }
        let question = try host.question(server, source: "local:1000", ids: [alice.id])
        let proof = try await alice.prove(server, pin: "1234", question: question, tag: host.tag(question))
        let answer = try read(
            AuthenticateResponse.self,
            await server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: question.a)))
        let notice = host.key.open(
            notice: try #require(answer.notice).octets, tag: try #require(answer.noticeTag).octets,
            to: question.a)
        #expect(notice?.count == 2)
        #expect(notice?.lastSource == [UInt8]("local:1001".utf8))
    }

    @Test func `a proxy cannot turn a login into one that issues a password`() async throws {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let proof = try alice.passOne(pin: "1234", permit: await alice.permit(server))
        var first = PassOneRequest(mpinID: alice.mpinID, u: proof.u, ut: proof.ut)
        try alice.tag(&first)
        let begun = try read(PassOneResponse.self, await server.send("POST", Route.passOne, first))
        let v = try proof.answer(y: begun.y)
        var honest = PassTwoRequest(mpinID: alice.mpinID, v: v, wid: "0", otp: false, n: begun.n)
        try alice.tag(&honest, to: begun)
        var changed = PassTwoRequest(mpinID: alice.mpinID, v: v, wid: "0", otp: true, n: begun.n)
        changed.deviceTag = honest.deviceTag
        let ended = try read(PassTwoResponse.self, await server.send("POST", Route.passTwo, changed))
        let (status, answer) = try await answer(server, ended)
        #expect(status == 401)
        #expect(answer.expireTime == nil)
    }

    @Test func `only the device learns that it was revoked`() async throws {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let permit = try await alice.permit(server)
        let event = AuditEvent(kind: "user.revoke", subject: "alice")
        #expect(try await server.storage.revoke(.identity(alice.id), recording: event) != nil)
        let stolen = try await alice.stolen.prove(server, pin: "1234", permit: permit)
        #expect(try await answer(server, stolen).status == 401)
        let owned = try await alice.prove(server, pin: "1234", permit: permit)
        #expect(try await answer(server, owned).status == 403)
    }

    @Test func `strangers who answer for a session leave no record and do not end it`() async throws {
        let house = try await House()
        let console = try await house.open()
        let records = try await house.server.storage.auditRecords(AuditQuery(), limit: 99).count
        for _ in 0..<5 {
            let refused = try await house.alice.stolen.answer(house.server, console.wid)
            #expect(refused.status == 401)
        }
        #expect(try await house.server.storage.auditRecords(AuditQuery(), limit: 99).count == records)
        try await house.expectLogin(console)
    }
}
