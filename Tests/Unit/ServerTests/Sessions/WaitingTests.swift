// SPDX-License-Identifier: Apache-2.0
// What waits for a device: the list is what scans of these logins would show, and has what it may approve.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct WaitingTests {
    @Test func `an entry has what a scan of this login would show, and is approved without one`() async throws
    {
        let house = try await House()
        #expect(try await waiting(house.server, for: house.alice).isEmpty)
        let console = try await house.open()
        house.server.clock.advance(seconds: 7)
        let entry = try #require(try await waiting(house.server, for: house.alice).first)
        #expect(entry.wid == console.wid && entry.number == console.number)
        let proof = try await house.alice.prove(house.server, seen: entry.seen.octets, wid: entry.wid)
        let answer = try await house.alice.redeem(house.server, proof)
        #expect(try read(AuthenticateResponse.self, answer).code == console.code())
        let scanned = try #require(try await look(house.server, console.wid, as: house.alice))
        #expect(entry.seen == scanned.seen && entry.life == scanned.life && entry.attempt == scanned.attempt)
        // It waits for its device until its console asks, so a page that was closed can show the code again.
        #expect(try await waiting(house.server, for: house.alice) == [entry])
        #expect(try await console.settle(house.server).verdict.verdict == .granted)
        #expect(try await waiting(house.server, for: house.alice).isEmpty)
    }

    @Test func `the newest stands first, at whatever host, and what has ended is not there`() async throws {
        let house = try await House()
        let (server, id) = (house.server, house.alice.id)
        let elsewhere = try await server.join("build-7")
        var opened: [Console] = []
        for (host, source) in [(house.host, "local:1000"), (elsewhere, "local:1000"), (elsewhere, "local:7")]
        {
            opened.append(try await host.open(server, ids: [id], source: source))
            server.clock.advance(seconds: 1)
        }
        func numbers() async throws -> [String] { try await waiting(server, for: house.alice).map(\.number) }
        #expect(try await numbers() == opened.reversed().map(\.number))
        #expect(try await opened[1].abort(server, a: opened[1].question.a).status == 200)
        #expect(try await numbers() == [opened[2].number, opened[0].number])
        #expect(try await house.alice.answer(server, opened[2].wid, deny: true).status == 200)
        #expect(try await numbers() == [opened[0].number])
        server.clock.advance(seconds: 87)
        #expect(try await numbers() == [])
    }

    @Test func `a login waits for the devices that its question lists, and for no binding`() async throws {
        let house = try await House()
        let server = house.server
        let (bob, second) = (try await House.device(server, "bob"), try await House.device(server, "alice"))
        // A question may list a device twice.
        let console = try await house.host.open(server, ids: [house.alice.id, second.id, house.alice.id])
        _ = try await BindSession.open(server, house.host)
        for device in [house.alice, second] {
            #expect(try await waiting(server, for: device).map(\.wid) == [console.wid])
        }
        #expect(try await waiting(server, for: bob).isEmpty)
        // The other device could only hear that this one was first.
        #expect(try await house.alice.answer(server, console.wid).status == 200)
        #expect(try await waiting(server, for: house.alice).map(\.wid) == [console.wid])
        #expect(try await waiting(server, for: second).isEmpty)
    }

    @Test func `it lists nothing for an identity that is unconfirmed, suspended or revoked`() async throws {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let nothing = try await list(server, for: alice).body
        let phone = try await server.enrolledByQRCode("bob")
        let console = try await house.host.open(server, ids: [alice.id, phone.id])
        #expect(try await list(server, for: phone).body == nothing)
        let confirmed = UserRequest(userId: "bob", idPrefix: phone.id.octets)
        #expect(try await server.administer("POST", AdminRoute.confirmUser, confirmed).status == 200)
        #expect(try await waiting(server, for: phone).map(\.wid) == [console.wid])
        #expect(try await waiting(server, for: alice).map(\.wid) == [console.wid])
        try await server.suspend()
        #expect(try await list(server, for: alice).body == nothing)
        try await server.resume()
        #expect(try await waiting(server, for: alice).map(\.wid) == [console.wid])
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        #expect(try await list(server, for: alice).body == nothing)
    }

    @Test func `a report from the list hides this source for an hour, and no other one`() async throws {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let second = try await House.device(server, "alice")
        func open(_ source: String) async throws -> Console {
            try await house.host.open(server, ids: [alice.id, second.id], source: source)
        }
        let (stranger, mine) = (try await open("198.51.100.7"), try await open("203.0.113.9"))
        let entry = try #require(
            try await waiting(server, for: alice).first { $0.number != mine.number })
        let proof = try await alice.prove(server, seen: entry.seen.octets, wid: entry.wid)
        var report = AuthenticateRequest(mpinResponse: proof, deny: true)
        report.notMe = true
        #expect(try await server.send("POST", Route.mobileAuthenticate, report).status == 200)
        #expect(try await stranger.settle(server).verdict.verdict == .notApproved)
        let again = try await open("198.51.100.7")
        for device in [alice, second] {
            #expect(try await waiting(server, for: device).map(\.wid) == [mine.wid])
        }
        server.clock.advance(seconds: 3600)
        let later = try await open("198.51.100.7")
        #expect(try await waiting(server, for: alice).map(\.wid) == [later.wid])
        #expect(again.wid != later.wid)
    }

    @Test func `a device asks sixty times a minute, and strangers use none of that up`() async throws {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let console = try await house.open()
        let replica = try server.replica()
        for _ in 0..<70 { #expect(try await list(server, for: alice.stolen).status == 200) }
        for question in 0..<60 {
            if question == 30 { server.clock.advance(seconds: 29) }
            #expect(try await waiting(server, for: alice).map(\.wid) == [console.wid])
        }
        let refused = try await list(server, for: alice, peer: .address("198.51.100.7"))
        #expect(refused.status == 429)
        #expect(refused.headers.contains { $0.name == "Retry-After" && $0.value == "31" })
        #expect(try await list(server, for: alice.stolen).status == 200)
        #expect(try await list(server, for: House.device(server, "bob")).status == 200)
        // Each replica counts by itself.
        #expect(try await waiting(replica, for: alice).map(\.wid) == [console.wid])
        server.clock.advance(seconds: 31)
        #expect(try await waiting(server, for: alice).map(\.wid) == [console.wid])
        withExtendedLifetime((server, replica)) {}
    }
}
