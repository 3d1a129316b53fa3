// SPDX-License-Identifier: Apache-2.0
// Opening and looking up a console's session: what its host gets, and what strangers learn (T 13, T 25).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct SessionTests {
    @Test func `a host's question opens a session with a valid seal`() async throws {
        let house = try await House()
        let start = house.server.clock.milliseconds
        for (asked, life) in [(UInt16(90), 90), (30, 30), (600, 90)] {
            let console = try await house.host.open(house.server, ids: [house.alice.id], life: asked)
            let session = console.session
            #expect(session.ttlSeconds == life)
            #expect(session.qrUrl == "https://login.example.org#" + console.wid)
            #expect(console.wid.utf8.count == 32)
            #expect(AccessNumber.isValid([UInt8](console.number.utf8)))
            #expect(session.localTimeStart == Int(start))
            #expect(session.localTimeEnd == Int(start) + life * 1000)
            let sealed = try #require(
                SealedSession(
                    a: console.question.a, wid: [UInt8](console.wid.utf8),
                    number: [UInt8](console.number.utf8),
                    life: UInt16(life)))
            #expect(house.host.key.verifies(try #require(session.sessionTag).octets, of: sealed))
        }
    }

    @Test func `for an unknown user the answer has the same form`() async throws {
        let house = try await House()
        let known = try await house.open()
        let unknown = try await house.host.open(house.server, ids: [])
        let shapes = try [known, unknown].map { console in
            try object([UInt8](JSONEncoder().encode(console.session))).mapValues(\.shape)
        }
        #expect(shapes[0] == shapes[1])
        #expect(try await look(house.server, unknown.wid)?.seen != nil)
        #expect(try await unknown.settle(house.server).verdict.verdict == .notApproved)
    }

    @Test func `a question opens nothing without its seal, a second time, or with a wrong clock`()
        async throws
    {
        let house = try await House()
        func open(_ question: SealedQuestion, _ tag: [UInt8]) async throws -> Int {
            try await house.server.send(
                "POST", Route.getQrUrl, SealedRequest(ask: question.octets, askTag: tag)
            ).status
        }
        let question = try house.host.question(house.server, ids: [house.alice.id])
        #expect(try await open(question, [UInt8](repeating: 0, count: 32)) == 403)
        #expect(try await open(question, house.host.tag(question)) == 200)
        #expect(try await open(question, house.host.tag(question)) == 408)
        for off in [Int64(-601), 601] {
            let question = try house.host.question(house.server, ids: [], off: off)
            #expect(try await open(question, house.host.tag(question)) == 408)
        }
        for body in ["", "{}", "{\"prerollid\": \"\"}"] {
            let answer = await house.server.send("POST", Route.getQrUrl, [UInt8](body.utf8))
            #expect(answer.status == 400)
        }
        for route in [Route.getAccessNumber, Route.access] {
            #expect(await house.server.send("POST", route).status == 404)
        }
    }

    @Test func `a session keeps the epoch of its question`() async throws {
        let house = try await House()
        let old = try await house.open()
        let rotated = try await house.server.join("prod-db1", rotate: true)
        let new = try await rotated.open(house.server, ids: [house.alice.id])
        let late = try await house.open()
        for console in [old, new, late] { try await house.expectLogin(console) }
    }

    @Test
    func `a host can have two hundred sessions, each with its own number, and one gives way to another`()
        async throws
    {
        let house = try await House()
        var numbers: Set<String> = []
        func isRefused(_ source: String) async throws -> Bool {
            let question = try house.host.question(house.server, source: source, ids: [])
            let asked = SealedRequest(ask: question.octets, askTag: try house.host.tag(question))
            return try await house.server.send("POST", Route.getQrUrl, asked).status == 429
        }
        for index in 0..<200 {
            let source = "203.0.\(113 + index / 100).\(index / 20)"
            let number = try await house.host.open(house.server, ids: [], source: source).number
            #expect(AccessNumber.isValid([UInt8](number.utf8)))
            numbers.insert(number)
        }
        #expect(numbers.count == 200)
        #expect(try await isRefused("203.0.113.0"))
        #expect(try await !isRefused("203.0.113.200"))
        _ = try await house.server.join("build-7").open(house.server, ids: [])
        house.server.clock.advance(seconds: 91)
        try await house.expectLogin(try await house.open())
    }

    @Test func `a device gets the details of a login in both spellings, and what to prove`() async throws {
        let house = try await House()
        let console = try await house.open()
        for wid in [console.wid, console.number] {
            let details = try #require(await look(house.server, wid))
            #expect(details.appName == "sshd for alice on prod-db1, from 203.0.113.9")
            #expect(details.serverAppName == details.appName)
            #expect(details.attempt == hexText([UInt8](console.question.a.octets.prefix(8))))
            let seen = try #require(details.seen).octets
            #expect(
                ApprovalDetails(decoding: seen)
                    == ApprovalDetails(
                        origin: [UInt8]("https://login.example.org".utf8), wid: [UInt8](wid.utf8),
                        host: [UInt8]("prod-db1".utf8), service: [UInt8]("sshd".utf8),
                        account: [UInt8]("alice".utf8), source: [UInt8]("203.0.113.9".utf8),
                        seconds: UInt64(house.server.clock.now.seconds)))
        }
        let local = await house.server.router.respond(
            to: Request(
                method: "POST", target: Route.codeStatus, host: RequestPolicy.localName,
                contentType: "application/json", peer: .local(user: 1000, process: 1),
                body: [UInt8](
                    try JSONEncoder().encode(CodeStatusRequest(status: "wid", wid: console.wid)))))
        let seen = try #require(read(CodeStatusResponse.self, local).seen)
        #expect(ApprovalDetails(decoding: seen.octets)?.origin == [UInt8]("unix".utf8))
    }

    @Test func `an account name reaches a phone's screen shortened and printable`() async throws {
        let house = try await House()
        let question = try house.host.question(
            house.server, account: "\u{1b}[2Jal\u{202e}ice\n" + String(repeating: "x", count: 100), ids: [])
        let opened = try read(
            SessionResponse.self,
            await house.server.send(
                "POST", Route.getQrUrl, SealedRequest(ask: question.octets, askTag: house.host.tag(question)))
        )
        let wid = String(try #require(opened.qrUrl).suffix(32))
        let name = try #require(await look(house.server, wid)?.appName)
        #expect(name.hasPrefix("sudo for ?[2Jal???ice?xxx"))
        #expect(name.utf8.allSatisfy { (0x20...0x7e).contains($0) })
        #expect(name.utf8.count < 150)
    }

    @Test func `unknown, ended and expired sessions and every other status get the same answer`() async throws
    {
        let house = try await House()
        let (live, ended, expired) = (try await house.open(), try await house.open(), try await house.open())
        _ = try await ended.abort(house.server, a: ended.question.a)
        let silent = [UInt8]("{\"Status\":\"OK\"}".utf8)
        func answer(_ status: String, _ wid: String) async throws -> Response {
            try await house.server.send(
                "POST", Route.codeStatus, CodeStatusRequest(status: status, wid: wid))
        }
        for status in ["user", "expired", "authenticate", "new", "WID", ""] {
            #expect(try await answer(status, live.wid).body == silent)
        }
        for wid in [
            ended.wid, ended.number, String(repeating: "0", count: 32), live.wid.uppercased() + "0", "0", "",
            "1234567", "00000000",
        ] {
            let response = try await answer("wid", wid)
            #expect(response.status == 200)
            #expect(response.body == silent)
        }
        house.server.clock.advance(seconds: 90)
        #expect(try await answer("wid", expired.wid).body == silent)
        #expect(try await answer("wid", expired.number).body == silent)
        for body in ["", "{}", "{\"status\": \"wid\"}", "[]"] {
            #expect(await house.server.send("POST", Route.codeStatus, [UInt8](body.utf8)).status == 400)
        }
    }

    @Test func `only an abort with its own A ends a session`() async throws {
        let house = try await House()
        let (console, other) = (try await house.open(), try await house.open())
        for a in [nil, other.question.a, QuestionHash.zero] {
            #expect(try await console.abort(house.server, a: a).status == 200)
            #expect(try await look(house.server, console.wid) != nil)
        }
        let short = #"{"status":"abort","wid":"\#(console.wid)","A":""}"#
        #expect(await house.server.send("POST", Route.codeStatus, [UInt8](short.utf8)).status == 400)
        #expect(try await look(house.server, console.wid) != nil)
        let seen = try #require(await look(house.server, console.wid)?.seen).octets
        _ = try await console.abort(house.server, a: console.question.a)
        #expect(try await look(house.server, console.wid) == nil)
        let proof = try await house.alice.prove(house.server, seen: seen, wid: console.wid)
        #expect(try await house.alice.redeem(house.server, proof).status == 412)
        #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
        try await house.expectLogin(other)
    }

    @Test func `a source has ten look-ups by number a minute, and those by wid are not limited`() async throws
    {
        let house = try await House()
        let console = try await house.open()
        for _ in 0..<10 { #expect(try await look(house.server, console.number) != nil) }
        #expect(try await look(house.server, console.number) == nil)
        #expect(try await look(house.server, console.wid) != nil)
        #expect(try await look(house.server, console.number, peer: .address("192.0.2.2")) != nil)
        house.server.clock.advance(seconds: 61)
        #expect(try await look(house.server, console.number) != nil)
    }

    @Test(arguments: [("198.51.100.", ""), ("2001:db8:7:", "::1")])
    func `fifty wrong numbers an hour block a network for strangers`(
        _ prefix: String, _ suffix: String
    ) async throws {
        let house = try await House()
        // A source from which a device has approved is not a stranger's.
        let home = Peer.address(prefix + "99" + suffix)
        #expect(
            try await house.alice.answer(house.server, try await house.open().wid, peer: home).status == 200)
        let console = try await house.open()
        for guess in 0..<50 {
            let peer = Peer.address("\(prefix)\(guess)\(suffix)")
            #expect(try await look(house.server, "1000012", peer: peer) == nil)
        }
        let stranger = Peer.address(prefix + "98" + suffix)
        #expect(try await look(house.server, console.number, peer: stranger) == nil)
        #expect(try await look(house.server, console.number, peer: home) != nil)
        #expect(try await look(house.server, console.number) != nil)
        house.server.clock.advance(seconds: 3601)
        let later = try await house.open()
        #expect(try await look(house.server, later.number, peer: stranger) != nil)
    }
}
