// SPDX-License-Identifier: Apache-2.0
// Binding a phone to an account by an approval code (seal-devices.md, section 15).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct BindTests {
    @Test
    func `the host learns once which identity approved, and the phone shows that identity's approval code`()
        async throws
    {
        let house = try await House()
        let server = house.server
        let session = try await BindSession.open(server, house.host, userID: "alice")
        let before = try await session.answer(server)
        #expect(before == SealedBindAnswer(a: session.bind.a, refused: .notApproved))
        let shown = try #require(await look(server, session.wid)?.seen).octets
        let seen = try #require(ApprovalDetails(decoding: shown))
        #expect(seen.service == SealedQuestion.bindService)
        #expect(seen.account == Array("alice".utf8) && seen.source == Array("local:1000".utf8))
        let approved = try read(
            AuthenticateResponse.self, await house.alice.answer(server, session.number))
        #expect(try approved.code == session.code(house.alice.id))
        #expect(approved.logoutURL == nil && approved.logoutData == nil)
        let answer = try await session.answer(server)
        #expect(answer.verdict == .granted && answer.id == house.alice.id)
        #expect(answer.userID == Array("alice".utf8))
        #expect(answer.registered == UInt64(server.clock.now.seconds))
        #expect(try await session.answer(server) == before)
        // Again after a lost answer: it has one record.
        for _ in 0..<3 { #expect(try await session.confirms(server, house.alice.id) == true) }
        let events = try await server.storage.auditRecords(AuditQuery(), limit: 3).map(\.event)
        #expect(events.map(\.kind) == ["phone.bound", "session.bind", "session.approve"])
        #expect(events[0].subject == HexOctets(house.alice.id).text.prefix(8) && events[0].host == "prod-db1")
        #expect(events[0].fields.contains(AuditField("user", "alice")))
    }

    @Test func `a stranger's phone that scans the QR code first gets another code, and keeps alice's out`()
        async throws
    {
        let house = try await House()
        let mallory = try await House.device(house.server, "mallory")
        let session = try await BindSession.open(house.server, house.host)
        let theirs = try read(
            AuthenticateResponse.self, await mallory.answer(house.server, session.wid))
        #expect(try theirs.code != session.code(house.alice.id))
        #expect(try await house.alice.answer(house.server, session.wid).status == 412)
        #expect(try await house.alice.answer(house.server, session.wid, deny: true).status == 412)
        // The host sees whose phone it was, and alice's code does not match it.
        let answer = try await session.answer(house.server)
        #expect(answer.id == mallory.id && answer.userID == Array("mallory".utf8))
        let typed = try secret(session.code(house.alice.id))
        let isRight = try session.host.key.isBindCode(
            typed, a: session.bind.a, wid: [UInt8](session.wid.utf8), id: answer.id)
        #expect(!isRight)
    }

    @Test func `after a lost answer one more proof gets the same approval code`() async throws {
        let house = try await House()
        let session = try await BindSession.open(house.server, house.host)
        for _ in 0..<2 {
            let approved = try read(
                AuthenticateResponse.self, await house.alice.answer(house.server, session.wid))
            #expect(try approved.code == session.code(house.alice.id))
        }
        #expect(try await session.answer(house.server).verdict == .granted)
        #expect(try await look(house.server, session.wid) == nil)
    }

    @Test func `another name and a Milagro client approve nothing`() async throws {
        let house = try await House()
        let server = house.server
        let bob = try await House.device(server, "bob")
        let milagro = try await House.device(server, "alice", bound: false)
        let session = try await BindSession.open(server, house.host, userID: "alice")
        #expect(try await bob.answer(server, session.wid).status == 412)
        let unseen = try await milagro.prove(server, pin: "1234", wid: session.wid)
        #expect(try await milagro.redeem(server, unseen).status == 412)
        // Names that look alike, and are equal as Swift strings, are different names.
        let composed = try await House.device(server, "andr\u{e9}")
        let other = try await BindSession.open(server, house.host, userID: "andre\u{301}")
        #expect(try await composed.answer(server, other.wid).status == 412)
        for session in [session, other] {
            #expect(try await session.answer(server).verdict == .notApproved)
        }
    }

    @Test func `an identity that is revoked before or after its approval is not bound`() async throws {
        let house = try await House()
        let server = house.server
        let (early, late) = (
            try await BindSession.open(server, house.host), try await BindSession.open(server, house.host)
        )
        _ = try read(AuthenticateResponse.self, await house.alice.answer(server, early.wid))
        let seen = try #require(await look(server, late.wid)?.seen).octets
        let proof = try await house.alice.prove(server, seen: seen, wid: late.wid)
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "alice"))
        #expect(try await house.alice.redeem(server, proof).status == 403)
        let answer = try await early.answer(server)
        #expect(answer == SealedBindAnswer(a: early.bind.a, refused: .revoked))
        #expect(try await late.answer(server).verdict == .notApproved)
        #expect(try await early.done(server, house.alice.id).status == 408)
    }

    @Test func `after the session's life a proof gets 412, and an approval is void`() async throws {
        let house = try await House()
        let (late, forgotten) = (
            try await BindSession.open(house.server, house.host),
            try await BindSession.open(house.server, house.host, life: 60)
        )
        #expect(try await house.alice.answer(house.server, forgotten.wid).status == 200)
        let seen = try #require(await look(house.server, late.wid)?.seen).octets
        house.server.clock.advance(seconds: 80)
        let proof = try await house.alice.prove(house.server, seen: seen, wid: late.wid)
        house.server.clock.advance(seconds: 10)
        #expect(try await house.alice.redeem(house.server, proof).status == 412)
        for session in [late, forgotten] {
            #expect(try await session.answer(house.server).verdict == .notApproved)
            #expect(try await session.done(house.server, house.alice.id).status == 408)
        }
    }

    @Test func `the question must be sealed by a host and fresh, and opens one session`() async throws {
        let house = try await House()
        let server = house.server
        func send(_ bind: Bind, _ tag: [UInt8]) async throws -> Int {
            try await server.send(
                "POST", Route.getQrUrl, BindRequest(bind: bind.octets, bindTag: tag)
            ).status
        }
        let bind = try house.host.bind(server)
        #expect(try await send(bind, [UInt8](repeating: 0, count: 32)) == 403)
        let right = try house.host.key.tag(of: bind)
        #expect(try await send(bind, right) == 200)
        #expect(try await send(bind, right) == 408)
        for seconds: Int64 in [-601, 601] {
            let off = try house.host.bind(server, off: seconds)
            #expect(try await send(off, house.host.key.tag(of: off)) == 408)
        }
        // A login's question is refused as a bind question, whatever its service, and the reverse.
        let question = try house.host.question(server, service: "sshd", ids: [house.alice.id])
        let mixed = BindRequest(bind: question.octets, bindTag: try house.host.tag(question))
        #expect(try await server.send("POST", Route.getQrUrl, mixed).status == 403)
        let other = try house.host.bind(server)
        let asked = SealedRequest(ask: other.octets, askTag: try house.host.key.tag(of: other))
        #expect(try await server.send("POST", Route.getQrUrl, asked).status == 403)
        _ = try await server.administer("POST", AdminRoute.removeHost, HostRequest(host: "prod-db1"))
        let removed = try house.host.bind(server)
        #expect(try await send(removed, house.host.key.tag(of: removed)) == 403)
    }

    @Test func `an approval is good for its bind session only and opens no console`() async throws {
        let house = try await House()
        let console = try await house.open()
        let session = try await BindSession.open(house.server, house.host)
        let seen = try #require(await look(house.server, session.wid)?.seen).octets
        let proof = try await house.alice.prove(house.server, seen: seen, wid: console.wid)
        #expect(try await house.alice.redeem(house.server, proof).status != 200)
        #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
        #expect(try await house.alice.answer(house.server, session.wid).status == 200)
        #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
        // The answer to a bind question has no verdict of a login.
        let said = try await house.server.send(
            "POST", Route.authenticate, AuthenticateRequest(a: session.bind.a))
        #expect(try keys(said) == ["bindAnswer", "bindAnswerTag", "message", "version"])
    }

    @Test func `a denial at the phone or an abort by root ends the session`() async throws {
        let house = try await House()
        let (denied, aborted) = (
            try await BindSession.open(house.server, house.host),
            try await BindSession.open(house.server, house.host)
        )
        #expect(try await house.alice.answer(house.server, denied.wid, deny: true).status == 200)
        _ = try await house.server.send(
            "POST", Route.codeStatus,
            CodeStatusRequest(status: "abort", wid: aborted.wid, a: aborted.bind.a))
        for session in [denied, aborted] {
            #expect(try await look(house.server, session.wid) == nil)
            #expect(try await session.answer(house.server).verdict == .notApproved)
        }
    }

    @Test func `a device learns whether a session asks for its identity, and strangers do not`()
        async throws
    {
        let house = try await House()
        let server = house.server
        let bob = try await House.device(server, "bob")
        let console = try await house.open()
        let named = try await BindSession.open(server, house.host, userID: "alice")
        let open = try await BindSession.open(server, house.host)
        for name in [console.wid, console.number, named.wid, named.number] {
            #expect(try await look(server, name, as: house.alice)?.asked == true)
            #expect(try await look(server, name, as: bob)?.asked == false)
            #expect(try await #require(look(server, name)).asked == nil)
            #expect(try await #require(look(server, name, as: bob.stolen)).asked == nil)
        }
        #expect(try await look(server, open.wid, as: bob)?.asked == true)
        _ = try await house.alice.answer(server, open.wid)
        #expect(try await look(server, open.wid, as: bob)?.asked == false)
        // A tag for another session gets nothing about this one.
        var asked = CodeStatusRequest(status: "wid", wid: named.wid)
        try house.alice.tag(&asked)
        var moved = CodeStatusRequest(status: "wid", wid: console.wid)
        (moved.id, moved.deviceTag) = (asked.id, asked.deviceTag)
        let told = try read(
            CodeStatusResponse.self, await server.send("POST", Route.codeStatus, moved))
        #expect(told.seen != nil && told.asked == nil)
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(id: bob.id))
        #expect(try await #require(look(server, console.wid, as: bob)).asked == nil)
    }

    @Test func `an invalid question of a host opens no browser's session`() async throws {
        let server = try Server.compatible()
        for body in [
            #"{"bind": "00", "bindTag": 7}"#, #"{"bind": "00"}"#, #"{"bindTag": "00"}"#,
            #"{"ask": 1, "askTag": "00"}"#, #"{"askTag": "00"}"#,
        ] {
            let answer = await server.send("POST", Route.getQrUrl, [UInt8](body.utf8))
            #expect(answer.status == 400)
        }
        #expect(await server.send("POST", Route.getQrUrl).status == 200)
    }
}
