// SPDX-License-Identifier: Apache-2.0
// Look-ups of sessions by number: strangers share the look-ups of their source, and a device with a valid tag
// has its own.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct LookUpTests {
    @Test func `strangers who use up a source's look-ups stop no approval from there`() async throws {
        let house = try await House()
        // The ten look-ups of a minute, and the fifty wrong numbers of an hour.
        for minute in 0..<5 {
            if minute > 0 { house.server.clock.advance(seconds: 61) }
            for _ in 0..<10 { #expect(try await look(house.server, "1000012") == nil) }
        }
        let next = try await house.open()
        #expect(try await look(house.server, next.number) == nil)
        let answer = try await house.alice.answer(house.server, next.number)
        let approved = try read(AuthenticateResponse.self, answer)
        #expect(try approved.code == next.code())
        #expect(try await next.settle(house.server).verdict.verdict == .granted)
        // Look-ups by devices do not use up those of strangers either.
        house.server.clock.advance(seconds: 3601)
        let later = try await house.open()
        for _ in 0..<10 { #expect(try await look(house.server, later.number, as: house.alice) != nil) }
        #expect(try await look(house.server, later.number) != nil)
    }

    @Test func `a device has ten look-ups a minute, from whatever source`() async throws {
        let house = try await House()
        let console = try await house.open()
        for guess in 0..<10 {
            let peer = Peer.address("198.51.100.\(guess)")
            #expect(try await look(house.server, console.number, as: house.alice, peer: peer) != nil)
        }
        #expect(try await look(house.server, console.number, as: house.alice) == nil)
        let bob = try await House.device(house.server, "bob")
        #expect(try await look(house.server, console.number, as: bob) != nil)
        house.server.clock.advance(seconds: 61)
        #expect(try await look(house.server, console.number, as: house.alice) != nil)
    }

    @Test func `a device has fifty wrong numbers an hour, from whatever source`() async throws {
        let house = try await House()
        for guess in 0..<50 {
            if guess % 10 == 0 { house.server.clock.advance(seconds: 61) }
            let peer = Peer.address("198.51.\(guess).1")
            #expect(try await look(house.server, "1000012", as: house.alice, peer: peer) == nil)
        }
        house.server.clock.advance(seconds: 61)
        let console = try await house.open()
        #expect(try await look(house.server, console.number, as: house.alice) == nil)
        #expect(try await look(house.server, console.number) != nil)
        try await house.expectLogin(console)
    }

    /// A tag for another number, of a Milagro client, with an invalid or unknown id, and an empty tag.
    @Test func `a look-up with a wrong tag counts against its source`() async throws {
        let house = try await House()
        let milagros = try await House.device(house.server, "carol", bound: false)
        let console = try await house.open()
        var good = CodeStatusRequest(status: "wid", wid: console.number)
        try house.alice.tag(&good)
        let tag = try #require(good.deviceTag)
        var lies: [CodeStatusRequest] = []
        for (id, wid) in [(house.alice.id, "1000012"), (milagros.id, console.number)] {
            var lie = CodeStatusRequest(status: "wid", wid: wid)
            (lie.id, lie.deviceTag) = (id, tag)
            lies.append(lie)
        }
        for id in [house.alice.id, IdentityHash(repeating: 1)] {
            var lie = CodeStatusRequest(status: "wid", wid: console.number)
            (lie.id, lie.deviceTag) = (id, HexOctets([] as [UInt8]))
            lies.append(lie)
        }
        let short = #"{"status":"wid","wid":"\#(console.number)","id":"01","deviceTag":"\#(tag.text)"}"#
        #expect(await house.server.send("POST", Route.codeStatus, [UInt8](short.utf8)).status == 400)
        for (index, lie) in lies.enumerated() {
            let peer = Peer.address("203.0.113.\(100 + index)")
            func isAnswered(_ asked: CodeStatusRequest) async throws -> Bool {
                let answer = try await house.server.send("POST", Route.codeStatus, asked, peer: peer)
                return try read(CodeStatusResponse.self, answer) != CodeStatusResponse()
            }
            for _ in 0..<10 { #expect(try await isAnswered(lie) == (lie.wid == console.number)) }
            #expect(try await !isAnswered(CodeStatusRequest(status: "wid", wid: console.number)))
            #expect(try await isAnswered(good))
        }
    }

    @Test func `a revoked device is treated as a stranger`() async throws {
        let house = try await House()
        let console = try await house.open()
        for _ in 0..<10 { #expect(try await look(house.server, console.number) != nil) }
        #expect(try await look(house.server, console.number, as: house.alice) != nil)
        _ = try await house.server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        #expect(try await look(house.server, console.number, as: house.alice) == nil)
    }
}
