// SPDX-License-Identifier: Apache-2.0
// What its owner sees of a session that gave way to another one, and what nobody learns from it.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct DisplacedSessionTests {
    /// Takes all places for browsers' sessions but two, from the network 2001:db8:1::/48.
    private func fill(_ server: Server) async throws {
        for number in 0..<Limits.browsersInAll - 2 {
            let name = "f\(number)"
            let opened = try await server.storage.openBrowser(
                BrowserOpening(
                    wid: name, number: nil, account: "",
                    requester: Requester(
                        source: "2001:db8:1:\(String(number + 1, radix: 16))::/64",
                        network: "2001:db8:1::/48"),
                    webOTTHash: WebTicketHash(of: name), authOTTHash: TicketHash(of: name),
                    life: Limits.minute))
            #expect(opened != .full)
        }
    }

    @Test func `a displaced session is to everybody like one that was aborted, and lets nobody in`()
        async throws
    {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        let home = Peer.address("2001:db8:1::7")
        let aborted = try await Page.open(server, Route.getQrUrl, peer: home)
        let abort = CodeStatusRequest(status: "abort", wid: aborted.wid)
        #expect(try await server.send("POST", Route.codeStatus, abort).status == 200)
        // The two of one source are the most in the fullest network, so the elder one goes.
        let displaced = try await Page.open(server, Route.getQrUrl, peer: home)
        server.clock.advance(seconds: 1)
        let kept = try await Page.open(server, Route.getQrUrl, peer: home)
        try await fill(server)
        let begun = try await alice.prove(server, pin: "1234", wid: displaced.wid)
        let newcomer = try await Page.open(server, Route.getQrUrl, peer: .address("192.0.2.1"))
        #expect(try await kept.poll(server).status == "new")
        #expect(try await newcomer.poll(server).status == "new")
        var answers: Set<[UInt8]> = []
        for page in [displaced, aborted] {
            #expect(try await page.poll(server).status == "expired")
            let look = CodeStatusRequest(status: "wid", wid: page.wid)
            let seen = try await server.send("POST", Route.codeStatus, look)
            #expect(seen.status == 200)
            answers.insert(seen.body)
            for pin in ["1234", "1235"] {
                #expect(try await alice.approve(server, page.wid, pin: pin).status == 412)
            }
        }
        #expect(answers.count == 1)
        // Not even by a proof that was made before.
        #expect(try await alice.redeem(server, begun).status == 412)
        #expect(try await displaced.poll(server).status == "expired")
        // The owner opens another one.
        server.clock.advance(seconds: 1)
        let again = try await Page.open(server, Route.getQrUrl, peer: .address("192.0.2.1"))
        async let waiting = alice.approve(server, again.wid)
        #expect(try await again.logIn(server) == ("alice", 200))
        #expect(try await waiting.status == 200)
    }
}
