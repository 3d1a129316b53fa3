// SPDX-License-Identifier: Apache-2.0
// Attacks on a browser's session: those that took over logins at the Milagro server (T-32, T-33) fail here.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct BrowserAttackTests {
    /// The authOTT of a pass 2 for a wid, with an invalid V.
    private func garbage(
        _ server: Server, _ who: Enrolled, _ wid: String, peer: Peer
    ) async throws -> String {
        let proof = try who.passOne(pin: "0000", permit: await who.permit(server))
        let first = PassOneRequest(mpinID: who.mpinID, u: proof.u, ut: proof.ut)
        _ = await server.send("POST", Route.passOne, [UInt8](try JSONEncoder().encode(first)), peer: peer)
        let second = PassTwoRequest(mpinID: who.mpinID, v: [4], wid: wid, otp: false)
        return try read(
            PassTwoResponse.self, await server.send("POST", Route.passTwo, second, peer: peer)
        ).authOTT
    }

    @Test(arguments: [Route.getAccessNumber, Route.getQrUrl])
    func `an authOTT of an invalid proof, made before or after the victim's, never becomes their login`(
        _ route: String
    ) async throws {
        let server = try Server.compatible()
        let (victim, mallory) = (
            try await server.milagroDevice("victim"), try await server.milagroDevice("mallory")
        )
        let page = try await Page.open(server, route)
        let away = Peer.address("203.0.113.66")
        var stolen = [try await garbage(server, mallory, page.wid, peer: away)]
        stolen.append(try await garbage(server, victim, page.wid, peer: away))
        async let waiting = victim.approve(server, page.wid)
        try await page.approved(server)
        stolen.append(try await garbage(server, mallory, page.wid, peer: away))
        for authOTT in stolen {
            #expect(try await page.redeem(server, authOTT).status == 408)
            let asDevice = AuthenticateRequest(mpinResponse: PassTwoResponse(authOTT: authOTT))
            #expect(
                try await server.send("POST", Route.mobileAuthenticate, asDevice, peer: away).status == 401)
        }
        #expect(try await page.logIn(server) == ("victim", 200))
        #expect(try await waiting.status == 200)
    }

    @Test func `the first right proof takes the session, and its own authOTT opens no browser`() async throws
    {
        let server = try Server.compatible()
        let (alice, bob) = (try await server.milagroDevice("alice"), try await server.milagroDevice("bob"))
        let page = try await Page.open(server)
        let proof = try await alice.prove(server, pin: "1234", wid: page.wid)
        #expect(try await page.redeem(server, proof.authOTT).status == 408)
        async let waiting = alice.redeem(server, proof)
        try await page.approved(server)
        #expect(try await bob.approve(server, page.wid).status == 412)
        #expect(try await page.redeem(server, proof.authOTT).status == 408)
        let told = try await page.poll(server)
        #expect(told.authOTT != proof.authOTT)
        // The browser's authOTT is refused to a device and to a host, and is good once.
        let asDevice = AuthenticateRequest(mpinResponse: PassTwoResponse(authOTT: told.authOTT))
        #expect(try await server.send("POST", Route.mobileAuthenticate, asDevice).status == 412)
        let forHost = AuthenticateRequest(
            mpinResponse: PassTwoResponse(authOTT: told.authOTT), a: QuestionHash(repeating: 1))
        #expect(try await server.send("POST", Route.authenticate, forHost).status == 408)
        let body = [UInt8](
            try JSONEncoder().encode(
                AuthenticateRequest(mpinResponse: PassTwoResponse(authOTT: told.authOTT))))
        let statuses = await together(100) { await server.send("POST", Route.authenticate, body).status }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 408 }.count == 99)
        #expect(try await waiting.status == 200)
    }

    @Test func `before a proof, nothing that a page knows can be redeemed`() async throws {
        let server = try Server.compatible()
        let page = try await Page.open(server)
        let guesses = [page.session.webOTT, page.wid, ""]
        for guess in guesses { #expect(try await page.redeem(server, guess).status == 408) }
        // Even the authOTT that the server will derive, with its own key, is refused before a proof.
        let key = try secret(server.appKey)
        let known = hexText(try hmac(key: key, [UInt8](("browser authOTT" + page.session.webOTT).utf8)))
        #expect(try await page.redeem(server, String(known.prefix(32))).status == 408)
        #expect(try await page.poll(server).status == "new")
    }

    @Test func `neither a host's identity nor a plain login approves a browser`() async throws {
        let server = try Server.compatible()
        let host = try await server.join("prod-db1")
        let rooted = try await host.enrol(server, "root", code: server.add("root"), pin: "1234")
        let alice = try await server.milagroDevice("alice")
        let page = try await Page.open(server)
        let question = try host.question(server, ids: [rooted.id])
        let sealed = try await rooted.prove(
            server, pin: "1234", question: question, tag: host.tag(question), wid: page.wid)
        #expect(try await rooted.redeem(server, sealed).status == 412)
        let login = try await alice.prove(server, pin: "1234")
        #expect(try await alice.redeem(server, login).status == 412)
        #expect(try await page.poll(server).status == "new")
    }

    @Test func `a bound device's proof for one page is worth nothing at another`() async throws {
        let server = try Server.compatible()
        let alice = try await House.device(server, "alice")
        let (mine, evil) = (try await Page.open(server), try await Page.open(server))
        let seen = try #require(await look(server, mine.wid)?.seen).octets
        let proof = try await alice.prove(server, seen: seen, wid: evil.wid)
        #expect(try await alice.redeem(server, proof).status == 401)
        let unseen = try await alice.prove(server, pin: "1234", wid: evil.wid)
        #expect(try await alice.redeem(server, unseen).status == 401)
        #expect(try await evil.poll(server).status == "new")
        #expect(try await mine.poll(server).status == "wid")
        #expect(try await alice.answer(server, mine.wid).status == 200)
        #expect(try await mine.logIn(server) == ("alice", 200))
    }

    @Test func `a source may look up ten numbers a minute, and wrong numbers block its network`() async throws
    {
        let server = try Server.compatible()
        let page = try await Page.open(server)
        for _ in 0..<10 { #expect(try await look(server, page.wid) != nil) }
        #expect(try await look(server, page.wid) == nil)
        for guess in 0..<50 {
            let peer = Peer.address("203.0.113.\(guess)")
            #expect(try await look(server, "1000012", peer: peer) == nil)
        }
        #expect(try await look(server, page.wid, peer: .address("203.0.113.99")) == nil)
        var message = CodeStatusRequest(status: "user", wid: page.wid)
        message.userId = "x"
        _ = try await server.send(
            "POST", Route.codeStatus, message, peer: .address("203.0.113.99"))
        #expect(try await page.poll(server).status == "wid")
    }

    @Test func `proofs for unknown numbers are counted, and after ten the source's numbers are ignored`()
        async throws
    {
        let server = try Server.compatible()
        let mallory = try await server.milagroDevice("mallory")
        let page = try await Page.open(server)
        func status(_ wid: String, from place: String) async throws -> Int {
            let peer = Peer.address(place)
            let authOTT = try await garbage(server, mallory, wid, peer: peer)
            let asDevice = AuthenticateRequest(mpinResponse: PassTwoResponse(authOTT: authOTT))
            return try await server.send("POST", Route.mobileAuthenticate, asDevice, peer: peer).status
        }
        // Wrong PINs for a number that is in use count against the identity instead.
        for tried in 1...12 {
            #expect(try await status(page.wid, from: "203.0.113.66") == (tried < 3 ? 401 : 410))
        }
        for _ in 0..<10 { #expect(try await status("1000012", from: "203.0.113.66") == 412) }
        #expect(try await status(page.wid, from: "203.0.113.66") == 412)
        #expect(try await status(page.wid, from: "203.0.113.67") == 410)
        server.clock.advance(seconds: 60)
        #expect(try await status(page.wid, from: "203.0.113.66") == 410)
    }

    @Test func `no number names a console and a browser at the same time`() async throws {
        let server = try Server.compatible()
        let opening = { (wid: String, number: String) in
            BrowserOpening(
                wid: wid, number: number, account: "", requester: Requester(source: "s", network: "n"),
                webOTTHash: WebTicketHash(of: wid), authOTTHash: TicketHash(of: wid), life: 1000)
        }
        let console = { (wid: String, number: String) in
            SessionOpening(
                wid: wid, number: number, host: "h", hostEpoch: 1,
                requester: Requester(source: "h/s", network: "h/n"),
                a: QuestionHash(sha256: [UInt8](wid.utf8)), question: [], life: 6000)
        }
        let start = server.clock.milliseconds
        #expect(try await server.storage.openBrowser(opening("a", "3232212")) == .opened(at: start))
        #expect(try await server.storage.openSession(console("b", "3232212")) == .numberTaken)
        #expect(try await server.storage.openBrowser(opening("c", "3232212")) == .numberTaken)
        server.clock.advance(seconds: 6)
        #expect(try await server.storage.openSession(console("b", "3232212")) == .opened(at: start + 6000))
        #expect(try await server.storage.openBrowser(opening("d", "3232212")) == .numberTaken)
    }
}
