// SPDX-License-Identifier: Apache-2.0
// A Milagro device logs a browser in (milagro-0.3.md, section 7): states of a session, answers, and its end.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct BrowserTests {
    @Test(arguments: [Route.getAccessNumber, Route.getQrUrl])
    func `a device approves, its browser is let in once, and the device gets the result`(
        _ route: String
    ) async throws {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        let page = try await Page.open(server, route)
        #expect(try await page.poll(server) == AccessResponse(status: "new"))
        async let waiting = alice.approve(server, page.wid)
        let (userID, status) = try await page.logIn(server)
        #expect(userID == "alice")
        #expect(status == 200)
        let told = try await waiting
        #expect(told.status == 200)
        let logout = try #require(LogoutData(read(AuthenticateResponse.self, told).logoutData))
        #expect(logout.userId == "alice")
        #expect(try await page.poll(server).status == "expired")
        // The session ends once, and only for its own user.
        let other = LogoutData(userId: "bob", sessionToken: logout.sessionToken)
        #expect(try await server.send("POST", Route.logout, other).status == 400)
        #expect(try await server.send("POST", Route.logout, logout).status == 200)
        #expect(try await server.send("POST", Route.logout, logout).status == 400)
        #expect(
            try await server.audited().prefix(3)
                == ["session.logout", "login granted", "session.approve granted"])
    }

    @Test func `the responses to a page have exactly Milagro's keys`() async throws {
        let server = try Server.compatible()
        let start = Int(server.clock.milliseconds / 1000 * 1000)
        let number = await server.send("POST", Route.getAccessNumber)
        #expect(
            try keys(number)
                == ["accessNumber", "localTimeEnd", "localTimeStart", "ttlSeconds", "webOTT"])
        let session = try read(SessionResponse.self, number)
        let shown = try #require(session.accessNumber)
        #expect(AccessNumber.isValid([UInt8](shown.utf8)))
        #expect(session.ttlSeconds == 300)
        #expect(session.localTimeStart == start)
        #expect(session.localTimeEnd == start + 300_000)
        let qr = await server.send("POST", Route.getQrUrl, [UInt8]("{\"prerollid\": \"\"}".utf8))
        #expect(try keys(qr) == ["localTimeEnd", "localTimeStart", "qrUrl", "ttlSeconds", "webOTT"])
        let asked = try await server.send(
            "POST", Route.access, AccessRequest(webOTT: session.webOTT))
        #expect(try keys(asked) == ["authOTT", "redirectURL", "status", "statusCode", "userId"])
        let settings = try read(ClientSettings.self, await server.send("GET", Route.clientSettings))
        #expect(settings.accessNumberURL == Route.access)
        #expect(settings.getAccessNumberURL == Route.getAccessNumber)
        #expect(settings.getQrUrl == Route.getQrUrl)
        #expect(settings.codeStatusURL == Route.codeStatus)
        #expect(settings.accessNumberDigits == 7)
        #expect(settings.accessNumberUseCheckSum == true)
        #expect(settings.cSum == 1)
    }

    @Test func `a session only moves forward, and names no user before their proof`()
        async throws
    {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        let page = try await Page.open(server, Route.getQrUrl)
        func say(_ status: String) async throws -> String {
            var message = CodeStatusRequest(status: status, wid: page.wid)
            message.userId = "alice"
            #expect(try await server.send("POST", Route.codeStatus, message).status == 200)
            let told = try await page.poll(server)
            #expect(told.userId == (told.status == "authenticate" ? "alice" : ""))
            return told.status
        }
        for word in ["expired", "authenticate", "new", "x"] {
            #expect(try await say(word) == "new")
        }
        #expect(try await say("wid") == "wid")
        #expect(try await say("new") == "wid")
        #expect(try await say("user") == "user")
        #expect(try await say("wid") == "user")
        async let waiting = alice.approve(server, page.wid)
        try await page.approved(server)
        for word in ["wid", "user", "abort", "expired"] { #expect(try await say(word) == "authenticate") }
        #expect(try await page.logIn(server).status == 200)
        #expect(try await waiting.status == 200)
    }

    @Test func `a client that scanned a QR code may end its session, one that guessed a number may not`()
        async throws
    {
        let server = try Server.compatible()
        for (route, status) in [(Route.getQrUrl, "expired"), (Route.getAccessNumber, "new")] {
            let page = try await Page.open(server, route)
            let message = CodeStatusRequest(status: "abort", wid: page.wid)
            #expect(try await server.send("POST", Route.codeStatus, message).status == 200)
            #expect(try await page.poll(server).status == status)
        }
    }

    @Test func `a device whose browser never comes gets 408, and the login stays valid`() async throws {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        let page = try await Page.open(server)
        let late = try await alice.approve(server, page.wid)
        #expect(late.status == 408)
        #expect(try keys(late) == ["message"])
        #expect(try await page.logIn(server).status == 200)
        let forgotten = try await Page.open(server)
        #expect(try await alice.approve(server, forgotten.wid).status == 408)
        server.clock.advance(seconds: 60)
        #expect(try await forgotten.poll(server).status == "expired")
    }

    @Test func `only the device learns of a wrong PIN`() async throws {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        let page = try await Page.open(server)
        let wrong = try await alice.approve(server, page.wid, pin: "4321")
        #expect(wrong.status == 401)
        #expect(try await page.poll(server) == AccessResponse(status: "new"))
        async let waiting = alice.approve(server, page.wid)
        #expect(try await page.logIn(server).userID == "alice")
        #expect(try await waiting.status == 200)
    }

    @Test func `an unknown, expired or ended session is reported as expired and accepts no proof`()
        async throws
    {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        #expect(
            try read(
                AccessResponse.self,
                await server.send("POST", Route.access, AccessRequest(webOTT: "00"))
            ) == AccessResponse(status: "expired"))
        for body in ["", "{", "{}", "[]", "{\"webOTT\": 1}"] {
            #expect(await server.send("POST", Route.access, [UInt8](body.utf8)).status == 400)
        }
        #expect(try await alice.approve(server, "1000012").status == 412)
        let page = try await Page.open(server)
        server.clock.advance(seconds: 306)
        #expect(try await page.poll(server).status == "expired")
        #expect(try await alice.approve(server, page.wid).status == 412)
        server.clock.advance(seconds: 3600)
        await server.context.purge()
        #expect(try await page.poll(server).status == "expired")
    }

    @Test func `a revocation takes effect until the browser redeems`() async throws {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        let page = try await Page.open(server)
        async let waiting = alice.approve(server, page.wid)
        try await page.approved(server)
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        let told = try await page.poll(server)
        #expect(try await page.redeem(server, told.authOTT).status == 403)
        #expect(try await waiting.status == 403)
        #expect(try await page.redeem(server, told.authOTT).status == 408)
    }

    @Test func `text from a page is in no text that the server or a host vouches for`() async throws {
        let server = try Server.compatible()
        let alice = try await House.device(server, "alice")
        let claim = "alice, by sudo on prod-db1"
        let opened = try await server.send(
            "POST", Route.getAccessNumber, BrowserSessionRequest(prerollID: claim))
        let number = try #require(read(SessionResponse.self, opened).accessNumber)
        let details = try #require(await look(server, number))
        #expect(details.appName == details.serverAppName && details.prerollID == claim)
        #expect(details.appName?.hasPrefix("browser on login.example.org, from ") == true)
        #expect(details.appName?.contains("prod-db1") == false)
        let octets = try #require(details.seen).octets
        let seen = try #require(ApprovalDetails(decoding: octets))
        #expect(seen.account == [] && seen.page == Array(claim.utf8))
        for text in [seen.origin, seen.wid, seen.host, seen.service, seen.source] {
            #expect(!String(decoding: text, as: UTF8.self).contains("prod-db1"))
        }
        // The proof is still bound to exactly the texts that were shown, including the page's.
        #expect(try await alice.answer(server, number).status == 200)
    }

    @Test func `our own device approves what it showed, gets the result at once, and can refuse`()
        async throws
    {
        let server = try Server.compatible()
        let alice = try await House.device(server, "alice")
        let page = try await Page.open(server)
        let details = try #require(await look(server, page.wid))
        #expect(details.appName == "browser on login.example.org, from 198.51.100.7")
        let octets = try #require(details.seen).octets
        let seen = try #require(ApprovalDetails(decoding: octets))
        #expect(seen.host == [UInt8]("login.example.org".utf8))
        #expect(seen.service == ApprovalDetails.browserService)
        #expect(seen.account == [])
        #expect(seen.source == [UInt8]("198.51.100.7".utf8))
        let answer = try read(AuthenticateResponse.self, await alice.answer(server, page.wid))
        #expect(answer.code == nil)
        #expect(LogoutData(answer.logoutData)?.userId == "alice")
        #expect(try await page.logIn(server).status == 200)
        let other = try await Page.open(server)
        #expect(try await alice.answer(server, other.wid, deny: true).status == 200)
        #expect(try await other.poll(server).status == "expired")
        #expect(try await alice.approve(server, other.wid).status == 412)
    }

    @Test func `a restart between any two requests, or another replica, loses no session`() async throws {
        let first = try Server.compatible()
        let alice = try await first.milagroDevice("alice")
        let page = try await Page.open(first)
        let second = try await first.restarted()
        #expect(try await page.poll(second).status == "new")
        let replica = try second.replica()
        async let waiting = alice.approve(second, page.wid)
        #expect(try await page.logIn(replica).status == 200)
        #expect(try await waiting.status == 200)
        let approved = try await Page.open(replica)
        #expect(try await alice.approve(second, approved.wid).status == 408)
        await replica.storage.close()
        await replica.book.close()
        let third = try await second.restarted()
        let told = try await approved.poll(third)
        #expect(told.status == "authenticate")
        let fourth = try await third.restarted()
        #expect(try await approved.redeem(fourth, told.authOTT).status == 200)
        let fifth = try await fourth.restarted()
        #expect(try await approved.redeem(fifth, told.authOTT).status == 408)
        withExtendedLifetime((first, second, third, fourth, fifth, replica)) {}
    }

    @Test func `one source can open two hundred sessions, each with its own number`() async throws {
        let server = try Server.compatible()
        var numbers: Set<String> = []
        for _ in 0..<200 { numbers.insert(try await Page.open(server).wid) }
        #expect(numbers.count == 200)
        let peer = Peer.address("198.51.100.7")
        #expect(await server.send("POST", Route.getAccessNumber, peer: peer).status == 429)
        #expect(await server.send("POST", Route.getQrUrl, peer: peer).status == 429)
        _ = try await Page.open(server, peer: .address("198.51.100.8"))
        server.clock.advance(seconds: 306)
        _ = try await Page.open(server)
    }

    @Test func `without profile = compat a browser is offered nothing`() async throws {
        let server = try Server()
        for route in [Route.getAccessNumber, Route.access] {
            #expect(await server.send("POST", route, [UInt8]("{\"webOTT\": \"00\"}".utf8)).status == 404)
        }
        #expect(await server.send("POST", Route.getQrUrl).status == 400)
        let settings = try object(await server.send("GET", Route.clientSettings).body)
        #expect(settings["accessNumberURL"] == nil)
        #expect(settings["getAccessNumberURL"] == nil)
    }
}
