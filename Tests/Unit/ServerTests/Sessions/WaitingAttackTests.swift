// SPDX-License-Identifier: Apache-2.0
// Who asks what waits without the device's key learns nothing, and who begins logins for others gains nothing
// (T 46, T 47, T 48).
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

/// What a rank test compares.
private enum Asker: CaseIterable {
    /// Without a right tag, for a device for which five logins wait; and for one for which nothing waits.
    case ofBusy, ofIdle
    /// With a right tag, but a time that is too far off, for the first one.
    case late
    /// The first device itself: it takes longer, so the test would notice.
    case device
}

/// A device has sixty questions a minute.
private let roundsOfEachAsker = min(rounds(40), 60)

@Suite(.slow) struct WaitingAttackTests {
    @Test func `ten logins from one address, at two hosts, hide no other login`() async throws {
        let house = try await House()
        let server = house.server
        let elsewhere = try await server.join("build-7")
        var strange: [Console] = []
        func strangers(_ count: Int, _ source: String) async throws {
            for index in 0..<count {
                let host = index % 2 == 0 ? house.host : elsewhere
                strange.append(try await host.open(server, ids: [house.alice.id], source: source))
            }
        }
        try await strangers(5, "2001:db8:0:1::7")
        server.clock.advance(seconds: 1)
        let mine = try await house.open()
        server.clock.advance(seconds: 1)
        try await strangers(5, "2001:db8:0:2::9")
        let entries = try await waiting(server, for: house.alice)
        #expect(entries.count == 3)
        let found = try #require(entries.first { $0.number == mine.number })
        #expect(found.wid == mine.wid)
        #expect(entries.prefix(2).allSatisfy { entry in strange.contains { $0.wid == entry.wid } })
    }

    @Test func `logins from many addresses of one host's loopback are of one source`() async throws {
        let house = try await House()
        let server = house.server
        let mine = try await house.open()
        server.clock.advance(seconds: 1)
        for source in (1...5).map({ "127.1.1.\($0)" }) + ["::1"] {
            _ = try await house.host.open(server, ids: [house.alice.id], source: source)
        }
        let entries = try await waiting(server, for: house.alice)
        #expect(entries.count == 3 && entries.last?.number == mine.number)
    }

    @Test func `ten strangers fill the list, and the number still finds the own login`() async throws {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let mine = try await house.open()
        server.clock.advance(seconds: 1)
        for index in 1...10 {
            _ = try await house.host.open(server, ids: [alice.id], source: "198.51.\(index).7")
        }
        let entries = try await waiting(server, for: alice)
        #expect(entries.count == 5 && entries.allSatisfy { $0.number != mine.number })
        let approved = try read(AuthenticateResponse.self, await alice.answer(server, mine.number))
        #expect(try approved.code == mine.code())
        #expect(try await mine.settle(server).verdict.verdict == .granted)
    }

    @Test func `the code of a stranger's login goes to the device alone, and fits no other console`()
        async throws
    {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let mine = try await house.open()
        let stranger = try await house.host.open(server, ids: [alice.id], source: "198.51.100.7")
        let entry = try #require(
            try await waiting(server, for: alice).first { $0.number == stranger.number })
        let proof = try await alice.prove(server, seen: entry.seen.octets, wid: entry.wid)
        let code = try #require(
            try read(AuthenticateResponse.self, await alice.redeem(server, proof)).code)
        #expect(try code == stranger.code() && code != mine.code())
        // What the stranger, who has the wid, and everybody else can ask for does not have it.
        for name in [stranger.wid, stranger.number] {
            let said = try await server.send(
                "POST", Route.codeStatus, CodeStatusRequest(status: "wid", wid: name))
            #expect(!String(decoding: said.body, as: UTF8.self).contains(code))
        }
        #expect(try await alice.redeem(server, proof).status == 412)
        try await house.expectLogin(mine)
    }

    /// No key; another device's; a tag for another time; a Milagro client; a PIN of a host; an unknown id.
    @Test func `without the device's key the answer is always that of a device for which nothing waits`()
        async throws
    {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let bob = try await House.device(server, "bob")
        let milagros = try await House.device(server, "carol", bound: false)
        let onHost = try await house.host.enrol(server, "dave", code: server.add("dave"), pin: "1234")
        let nothing = try await list(server, for: alice)
        let console = try await house.host.open(
            server, ids: [alice.id, milagros.id, onHost.id], flags: SealedQuestion.acceptsUnseen)
        let now = UInt64(server.clock.now.seconds)
        let tag = try alice.question(waitingAt: now).deviceTag.octets
        var lies = try [alice.stolen, milagros, onHost].map { try $0.question(waitingAt: now) }
        for (id, time, tag) in [
            (alice.id, now, try bob.question(waitingAt: now).deviceTag.octets), (alice.id, now + 1, tag),
            (milagros.id, now, tag), (onHost.id, now, tag), (IdentityHash(repeating: 1), now, tag),
            (alice.id, now, tag + [0]), (alice.id, now, Array(tag.dropLast())),
        ] {
            lies.append(WaitingRequest(time: time, by: DeviceTag(id: id, tag: tag)))
        }
        for time in [now - 601, now + 601, now + 86_400] {
            lies.append(try alice.question(waitingAt: time))
        }
        for lie in lies {
            let answer = try await server.send("POST", Route.waiting, lie)
            #expect(answer.status == 200 && answer.body == nothing.body, "\(lie)")
            #expect(answer.headers.elementsEqual(nothing.headers) { $0 == $1 })
        }
        for seconds in [-600, 0, 600] as [Int64] {
            let listed = try read(WaitingResponse.self, await list(server, for: alice, off: seconds))
            #expect(listed.waiting.map(\.wid) == [console.wid])
        }
        try await house.expectLogin(console)
    }

    @Test func `a thief of the device key reads the list and ends logins, but approves and reports nothing`()
        async throws
    {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let console = try await house.open()
        let entry = try #require(try await waiting(server, for: alice).first)
        for isForeign in [false, true] {
            let proof = try await alice.prove(server, seen: entry.seen.octets, wid: entry.wid, pin: "4321")
            var said = AuthenticateRequest(mpinResponse: proof, deny: isForeign)
            said.notMe = Flag(isForeign)
            #expect(try await server.send("POST", Route.mobileAuthenticate, said).status == 401)
        }
        #expect(try await waiting(server, for: alice) == [entry])
        try await house.expectLogin(console)
        // An end needs no PIN. It leaves a record of who did it.
        let next = try await house.open()
        var end = CodeStatusRequest(status: "abort", wid: next.wid)
        try alice.tag(&end)
        #expect(try await server.send("POST", Route.codeStatus, end).status == 200)
        #expect(try await waiting(server, for: alice).isEmpty)
        let record = try #require(try await server.storage.auditRecords(AuditQuery(), limit: 1).first?.event)
        #expect(record.kind == "session.abort" && record.subject == id8(alice.id))
        // What ends it all: an administrator revokes the identity.
        let last = try await house.open()
        #expect(try await waiting(server, for: alice).map(\.wid) == [last.wid])
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(id: alice.id))
        #expect(try await waiting(server, for: alice).isEmpty)
    }

    @Test func `who has no key cannot tell by the time whether something waits`() async {
        await #expect(processExitsWith: .success) {
            let house = try await House()
            let server = house.server
            let idle = try await House.device(server, "bob")
            for index in 1...5 {
                _ = try await house.host.open(server, ids: [house.alice.id], source: "198.51.\(index).7")
            }
            let (busy, poor) = (try house.alice.stolen, try idle.stolen)
            var times: [Asker: [Int]] = [:]
            var random = SplitMix(seed: 35)
            for asker in (0..<roundsOfEachAsker).flatMap({ _ in Asker.allCases }).shuffled(using: &random) {
                let start = spentTime()
                let answer =
                    switch asker {
                    case .ofBusy: try await list(server, for: busy)
                    case .ofIdle: try await list(server, for: poor)
                    case .late: try await list(server, for: house.alice, off: 601)
                    case .device: try await list(server, for: house.alice)
                    }
                times[asker, default: []].append(spentTime() - start)
                #expect(answer.status == 200)
            }
            let idleTimes = try #require(times[.ofIdle])
            for (asker, others) in times where asker != .ofIdle {
                #expect(canTell(others, idleTimes) == (asker == .device), "\(asker)")
            }
        }
    }
}
