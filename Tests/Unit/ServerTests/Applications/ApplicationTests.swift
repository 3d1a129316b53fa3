// SPDX-License-Identifier: Apache-2.0
// A registered application, from its authorize URL to the check of a code: exact names, lifetimes, one use.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

private let callback = "https://payroll.example.org/login?x=1"

/// A server with one application and one user, and the steps of a login there.
private struct Portal {
    let server: Server
    let alice: Enrolled
    let clientID: String

    init(bound: Bool = true, lives: Lives = Lives()) async throws {
        server = try Server(lives: lives)
        alice = try await House.device(server, "alice", bound: bound)
        clientID = try await Portal.add(server, "Payroll", [callback, "payroll:/done"])
    }

    static func add(_ server: Server, _ name: String, _ uris: [String]) async throws -> String {
        let added = try await server.administer(
            "POST", AdminRoute.applications, AddApplicationRequest(app: name, redirectUris: uris))
        return try read(ApplicationResponse.self, added).clientId
    }

    /// Opens a session by a fresh authorize URL, and returns its wid.
    func open() async throws -> String {
        let url = try read(AuthorizeURLResponse.self, await server.send("POST", Route.authorizeURL))
        let target = try #require(url.authorizeURL.split(separator: Server.name, maxSplits: 1).last)
        let opened = try read(AuthorizeResponse.self, await server.send("POST", String(target)))
        return String(opened.qrURL.drop { $0 != "#" }.dropFirst())
    }

    /// Redeems a proof; `client` is the client id in the header that Milagro's core sends.
    func redeem(_ proof: PassTwoResponse, client: String? = nil) async throws -> Response {
        try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof), client: client)
    }

    /// Runs both passes for a session, redeems the proof, and returns the authorization code.
    func code(_ wid: String, pin: String = "1234") async throws -> String? {
        let seen = try #require(await look(server, wid)?.seen).octets
        let proof = try await alice.prove(server, seen: seen, wid: wid, pin: pin)
        return try read(AuthenticateResponse.self, await redeem(proof)).code
    }

    func check(_ code: String, _ userID: String = "alice", client: String? = nil) async throws -> Int {
        try await server.send(
            "POST", Route.authorizationCode, AuthorizationCodeRequest(code: code, userID: userID),
            client: client
        ).status
    }
}

@Suite(.slow) struct ApplicationTests {
    @Test func `our client proves what it showed, and the code is good once, for its user`() async throws {
        let portal = try await Portal()
        let wid = try await portal.open()
        let details = try #require(await look(portal.server, wid))
        #expect(details.appName == "Payroll")
        #expect(details.serverAppName == "Payroll")
        #expect(details.prerollID == "")
        let octets = try #require(details.seen).octets
        let seen = try #require(ApprovalDetails(decoding: octets))
        #expect(seen.host == [UInt8]("Payroll".utf8))
        #expect(seen.service == [UInt8]("application".utf8))
        #expect(seen.origin == [UInt8]("https://login.example.org".utf8))
        let code = try #require(await portal.code(wid))
        #expect(try await portal.check(code) == 200)
        #expect(try await portal.check(code) == 401)
        #expect(try await look(portal.server, wid) == nil)
        let records = try await portal.server.storage.auditRecords(AuditQuery(), limit: 2).map(\.event)
        #expect(records.map(\.kind) == ["code.redeem", "login"])
        #expect(records.allSatisfy { $0.fields.contains(AuditField("app", "Payroll")) })
        #expect(records.allSatisfy { $0.fields.contains(AuditField("verdict", "granted")) })
    }

    @Test(arguments: ["", "application-session-life = 300", "application-session-life = 30"])
    func `a session lives for as long as the settings say`(_ line: String) async throws {
        let portal = try await Portal(lives: settings(line).lives)
        let seconds: Int64 = line.hasSuffix(" 30") ? 30 : 300
        let wid = try await portal.open()
        portal.server.clock.advance(seconds: seconds - 1)
        #expect(try await look(portal.server, wid) != nil)
        portal.server.clock.advance(seconds: 1)
        #expect(try await look(portal.server, wid) == nil)
    }

    @Test(arguments: ["", "authorization-code-life = 60", "authorization-code-life = 5"])
    func `a code is good for as long as the settings say`(_ line: String) async throws {
        let portal = try await Portal(lives: settings(line).lives)
        let seconds: Int64 = line.hasSuffix(" 5") ? 5 : 60
        for (passed, status) in [(seconds - 1, 200), (seconds, 401)] {
            let code = try #require(await portal.code(portal.open()))
            portal.server.clock.advance(seconds: passed)
            #expect(try await portal.check(code) == status)
        }
    }

    @Test(arguments: [true, false])
    func `an unmodified core names the application in its header`(_ bound: Bool) async throws {
        let portal = try await Portal(bound: bound)
        let proof = try await portal.alice.prove(portal.server, pin: "1234", client: portal.clientID)
        let answer = try await portal.redeem(proof, client: portal.clientID)
        let code = try #require(read(AuthenticateResponse.self, answer).code)
        #expect(try await portal.check(code, client: portal.clientID) == 200)
        for client in [nil, "x", String(repeating: "0", count: 32), portal.clientID.uppercased() + "0"] {
            let plain = try await portal.alice.prove(portal.server, pin: "1234")
            let notice = bound ? ["notice", "noticeTag"] : []
            #expect(
                try await keys(portal.redeem(plain, client: client)) == ["message"] + notice + ["version"])
        }
    }

    /// An attacker who obtains a ticket cannot turn it into a login to an application of their choice.
    @Test func `a ticket brings a code only for the application that pass 2 named`() async throws {
        let portal = try await Portal()
        let other = try await Portal.add(portal.server, "Wiki", ["https://wiki.example.org/"])
        for (named, redeemed, status) in [
            (nil, other, 408), (portal.clientID, other, 408), (other, other, 200), (other, nil, 200),
        ] as [(String?, String?, Int)] {
            let proof = try await portal.alice.prove(portal.server, pin: "1234", client: named)
            let answer = try await portal.redeem(proof, client: redeemed)
            #expect(answer.status == status)
            #expect(try keys(answer).contains("code") == (status == 200 && redeemed != nil))
        }
    }

    @Test func `a Milagro client logs in to an application by the wid of its session`() async throws {
        let portal = try await Portal(bound: false)
        let wid = try await portal.open()
        let proof = try await portal.alice.prove(portal.server, pin: "1234", wid: wid)
        let code = try #require(read(AuthenticateResponse.self, await portal.redeem(proof)).code)
        #expect(try await portal.check(code) == 200)
    }

    @Test func `a code ends after a minute, after one check with another name, and with its identity`()
        async throws
    {
        let portal = try await Portal()
        for (name, seconds, status) in [("alice", Int64(59), 200), ("alice", 60, 401), ("bob", 0, 401)] {
            let code = try #require(await portal.code(portal.open()))
            portal.server.clock.advance(seconds: seconds)
            #expect(try await portal.check(code, name) == status)
            // The first check has used the code up.
            #expect(try await portal.check(code) == 401)
        }
        let code = try #require(await portal.code(portal.open()))
        _ = try await portal.server.administer(
            "POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        #expect(try await portal.check(code) == 401)
        #expect(try await portal.check("0") == 401)
    }

    @Test func `a code belongs to one application, which must be named if there are several`() async throws {
        let portal = try await Portal()
        let other = try await Portal.add(portal.server, "Wiki", ["https://wiki.example.org/"])
        #expect(await portal.server.send("POST", Route.authorizeURL).status == 400)
        func code() async throws -> String {
            let proof = try await portal.alice.prove(portal.server, pin: "1234", client: portal.clientID)
            let answer = try await portal.redeem(proof, client: portal.clientID)
            return try #require(read(AuthenticateResponse.self, answer).code)
        }
        let first = try await code()
        #expect(try await portal.check(first) == 400)
        #expect(try await portal.check(first, client: "x") == 400)
        #expect(try await portal.check(first, client: portal.clientID) == 200)
        let second = try await code()
        #expect(try await portal.check(second, client: other) == 401)
        #expect(try await portal.check(second, client: portal.clientID) == 401)
        let url = try read(
            AuthorizeURLResponse.self,
            await portal.server.send("POST", Route.authorizeURL, client: other)
        ).authorizeURL
        #expect(url.hasPrefix("https://login.example.org/authorize?client_id=\(other)&redirect_uri=https%3A"))
        #expect(url.contains("&response_type=code&scope=openid&state="))
    }

    @Test func `a session is opened only for a registered client and exactly its redirect URI`() async throws
    {
        let portal = try await Portal()
        let uri = percentEncoded(callback)
        let rest = "&response_type=code&scope=openid%20email&state=s"
        func open(_ query: String) async -> Int {
            await portal.server.send("POST", Route.authorize + "?" + query).status
        }
        #expect(await open("client_id=\(portal.clientID)&redirect_uri=\(uri)\(rest)") == 200)
        #expect(await open("client_id=\(portal.clientID)&redirect_uri=payroll%3A%2Fdone\(rest)") == 200)
        for query in [
            "", "client_id=\(portal.clientID)\(rest)", "redirect_uri=\(uri)\(rest)",
            "client_id=\(portal.clientID)&redirect_uri=\(uri)%2F\(rest)",
            "client_id=\(portal.clientID)&redirect_uri=\(uri.dropLast(1))\(rest)",
            "client_id=\(portal.clientID)&redirect_uri=HTTPS\(uri.dropFirst(5))\(rest)",
            "client_id=\(portal.clientID.uppercased())0&redirect_uri=\(uri)\(rest)",
            "client_id=%00&redirect_uri=\(uri)\(rest)",
            "client_id=\(portal.clientID)&redirect_uri=\(uri)&response_type=token&scope=openid",
            "client_id=\(portal.clientID)&redirect_uri=\(uri)&response_type=code&scope=email",
        ] {
            #expect(await open(query) == 400, "\(query)")
        }
        #expect(await portal.server.send("GET", Route.authorize).status == 405)
    }

    @Test func `a session brings one code, for the first right proof within five minutes`() async throws {
        let portal = try await Portal()
        let wid = try await portal.open()
        let seen = try #require(await look(portal.server, wid)?.seen).octets
        let wrong = try await portal.alice.prove(portal.server, seen: seen, wid: wid, pin: "4321")
        #expect(try await portal.redeem(wrong).status == 401)
        let (one, two) = (
            try await portal.alice.prove(portal.server, seen: seen, wid: wid),
            try await portal.alice.prove(portal.server, seen: seen, wid: wid)
        )
        #expect(try await portal.redeem(one, client: String(repeating: "0", count: 32)).status == 408)
        #expect(try read(AuthenticateResponse.self, await portal.redeem(two)).code != nil)
        let late = try await portal.alice.prove(portal.server, seen: seen, wid: wid)
        #expect(try await portal.redeem(late).status != 200)
        let old = try await portal.open()
        portal.server.clock.advance(seconds: 300)
        #expect(try await look(portal.server, old) == nil)
    }

    @Test func `a proof for a console brings no code, and one for an application opens no console`()
        async throws
    {
        let house = try await House()
        _ = try await Portal.add(house.server, "Payroll", [callback])
        let console = try await house.open()
        let url = try read(AuthorizeURLResponse.self, await house.server.send("POST", Route.authorizeURL))
        let target = String(try #require(url.authorizeURL.split(separator: Server.name).last))
        let opened = try read(AuthorizeResponse.self, await house.server.send("POST", target))
        let wid = String(opened.qrURL.suffix(32))
        let seen = try #require(await look(house.server, wid)?.seen).octets
        let proof = try await house.alice.prove(house.server, seen: seen, wid: wid)
        #expect(try await house.alice.redeem(house.server, proof).status == 412)
        let moved = try await house.alice.prove(house.server, seen: seen, wid: console.wid)
        #expect(try await house.alice.redeem(house.server, moved).status == 412)
        let shown = try #require(await look(house.server, console.wid)?.seen).octets
        let consoles = try await house.alice.prove(house.server, seen: shown, wid: console.wid)
        let body = AuthenticateRequest(mpinResponse: consoles)
        #expect(try await house.server.send("POST", Route.authenticate, body).status == 408)
        _ = try await house.server.administer(
            "POST", AdminRoute.unlockUser, UserRequest(userId: "alice"))
        try await house.expectLogin(console)
    }

    @Test func `of a hundred checks of one code, or redemptions of one proof, one succeeds`() async throws {
        let portal = try await Portal()
        let code = try #require(await portal.code(portal.open()))
        let checked = await together(100) { (try? await portal.check(code)) ?? 0 }
        #expect(checked.filter { $0 == 200 }.count == 1)
        #expect(checked.filter { $0 == 401 }.count == 99)
        let proof = try await portal.alice.prove(portal.server, pin: "1234", client: portal.clientID)
        let redeemed = await together(100) {
            (try? await portal.redeem(proof, client: portal.clientID).status) ?? 0
        }
        #expect(redeemed.filter { $0 == 200 }.count == 1)
    }

    @Test func `without an application its routes answer 404, and removing one ends its sessions and codes`()
        async throws
    {
        let portal = try await Portal()
        let code = try #require(await portal.code(portal.open()))
        let wid = try await portal.open()
        let removed = try await portal.server.administer(
            "POST", AdminRoute.removeApplication, ApplicationRequest(app: "Payroll"))
        #expect(removed.status == 200)
        for route in [Route.authorizeURL, Route.authorizationCode, Route.authorize] {
            let answer = await portal.server.send("POST", route)
            let unknown = await portal.server.send("POST", "/nowhere")
            #expect(answer.status == 404)
            #expect(answer.body == unknown.body)
        }
        #expect(try await look(portal.server, wid) == nil)
        #expect(try await portal.check(code) == 404)
        _ = try await Portal.add(portal.server, "Payroll", [callback])
        #expect(try await portal.check(code) == 401)
    }
}
