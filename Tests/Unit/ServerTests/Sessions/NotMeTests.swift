// SPDX-License-Identifier: Apache-2.0
// "This was not me": the owner of a device shuts out an attacker's source for an hour.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct NotMeTests {
    /// Looks up the session, proves the PIN, and reports that the login is not the user's.
    private func report(
        _ house: House, _ wid: String, pin: String = "1234", as device: Enrolled? = nil
    ) async throws -> Response {
        let device = device ?? house.alice
        let seen = try #require(await look(house.server, wid)?.seen).octets
        let proof = try await device.prove(house.server, seen: seen, wid: wid, pin: pin)
        var message = AuthenticateRequest(mpinResponse: proof, deny: true)
        message.notMe = true
        return try await house.server.send("POST", Route.mobileAuthenticate, message)
    }

    private func open(
        _ house: House, _ source: String = "203.0.113.9", on host: TestHost? = nil, ids: [IdentityHash]? = nil
    ) async throws -> Console {
        try await (host ?? house.host).open(house.server, ids: ids ?? [house.alice.id], source: source)
    }

    @Test func `for an hour sessions of that source at that host do not exist for the device, and others do`()
        async throws
    {
        let house = try await House()
        let server = house.server
        let bob = try await House.device(server, "bob")
        let elsewhere = try await server.join("build-7")
        let both = [house.alice.id, bob.id]
        let reported = try await open(house)
        let said = try read(AuthenticateResponse.self, await report(house, reported.wid))
        #expect(said.message == "Denied" && said.code == nil)
        #expect(try await look(server, reported.wid) == nil)
        let events = try await server.storage.auditRecords(AuditQuery(), limit: 2).map(\.event)
        #expect(events.map(\.kind) == ["session.reported", "session.deny"])
        #expect(events.allSatisfy { $0.source == "prod-db1/203.0.113.9" && $0.host == "prod-db1" })
        let again = try await open(house, ids: both)
        for name in [again.wid, again.number] {
            #expect(try await look(server, name, as: house.alice) == nil)
            #expect(try await look(server, name, as: bob)?.asked == true)
        }
        // A proof after a look-up by a stranger is refused, but not counted as wrong.
        let seen = try #require(await look(server, again.wid)?.seen).octets
        for _ in 0..<4 {
            let proof = try await house.alice.prove(server, seen: seen, wid: again.wid)
            #expect(try await house.alice.redeem(server, proof).status == 412)
        }
        #expect(try await bob.answer(server, again.wid).status == 200)
        try await house.expectLogin(try await open(house, "203.0.113.10"))
        try await house.expectLogin(try await open(house, on: elsewhere))
        server.clock.advance(seconds: 3600 - 1)
        #expect(try await look(server, open(house).wid, as: house.alice) == nil)
        server.clock.advance(seconds: 1)
        try await house.expectLogin(try await open(house))
    }

    @Test func `sessions that were opened or proved before the report are shut out too`() async throws {
        let house = try await House()
        let server = house.server
        let (first, second, third) = (try await open(house), try await open(house), try await open(house))
        let seen = try #require(await look(server, second.wid, as: house.alice)?.seen).octets
        let proof = try await house.alice.prove(server, seen: seen, wid: second.wid)
        #expect(try await house.alice.answer(server, third.wid).status == 200)
        #expect(try await report(house, first.wid).status == 200)
        #expect(try await house.alice.redeem(server, proof).status == 412)
        #expect(try await second.settle(server).verdict.verdict == .notApproved)
        // An earlier approval stands: its login still needs the approval code at the console.
        #expect(try await third.settle(server).verdict.verdict == .granted)
    }

    @Test func `a wrong PIN, a wrong tag, another identity or a plain denial shuts nothing out`()
        async throws
    {
        let house = try await House()
        let server = house.server
        let bob = try await House.device(server, "bob")
        let console = try await open(house)
        #expect(try await report(house, console.wid, pin: "4321").status == 401)
        #expect(try await report(house, console.wid, as: house.alice.stolen).status == 401)
        #expect(try await report(house, console.wid, as: bob).status == 412)
        #expect(try await look(server, console.wid, as: house.alice)?.asked == true)
        #expect(try await house.alice.answer(server, console.wid, deny: true).status == 200)
        try await house.expectLogin(try await open(house))
    }

    @Test func `a report is a denial, whatever else the request says`() async throws {
        let house = try await House()
        let console = try await open(house)
        let seen = try #require(await look(house.server, console.wid)?.seen).octets
        let proof = try await house.alice.prove(house.server, seen: seen, wid: console.wid)
        var message = AuthenticateRequest(mpinResponse: proof, deny: false)
        message.notMe = true
        _ = try await house.server.send("POST", Route.mobileAuthenticate, message)
        #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
    }

    @Test func `an unlock ends it, but a restart or another replica does not`() async throws {
        let house = try await House()
        let server = house.server
        let console = try await open(house)
        #expect(try await report(house, console.wid).status == 200)
        let replica = try server.replica()
        let next = try await open(house)
        #expect(try await look(replica, next.wid, as: house.alice) == nil)
        let restarted = try await server.restarted()
        #expect(try await look(restarted, next.wid, as: house.alice) == nil)
        #expect(
            try await restarted.administer(
                "POST", AdminRoute.unlockUser, UserRequest(userId: "alice")
            ).status == 200)
        #expect(try await look(restarted, next.wid, as: house.alice)?.asked == true)
        #expect(try await house.alice.answer(restarted, next.wid).status == 200)
        withExtendedLifetime((server, replica)) {}
    }

    @Test func `a report about an unknown source or root ends only that session`() async throws {
        let house = try await House()
        for source in ["unknown", "local:0"] {
            let console = try await open(house, source)
            #expect(try await report(house, console.wid).status == 200)
            #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
            try await house.expectLogin(try await open(house, source))
        }
    }

    @Test func `a report covers every identity of the user and the source's network`() async throws {
        let house = try await House()
        let second = try await House.device(house.server, "alice")
        let console = try await open(house, "2001:db8:0:1::9")
        #expect(try await report(house, console.wid).status == 200)
        let next = try await open(house, "2001:db8:0:2::7", ids: [house.alice.id, second.id])
        for device in [house.alice, second] {
            #expect(try await look(house.server, next.wid, as: device) == nil)
        }
        let other = try await open(house, "2001:db8:0:102::7")
        try await house.expectLogin(other)
    }

    @Test func `a denial does not take back the approval of another device`() async throws {
        let house = try await House()
        let second = try await House.device(house.server, "alice")
        for isForeign in [false, true] {
            let console = try await open(house, ids: [house.alice.id, second.id])
            #expect(try await house.alice.answer(house.server, console.wid).status == 200)
            let status =
                isForeign
                ? try await report(house, console.wid, as: second).status
                : try await second.answer(house.server, console.wid, deny: true).status
            #expect(status == 412)
            #expect(try await console.settle(house.server).verdict.verdict == .granted)
        }
    }
}
