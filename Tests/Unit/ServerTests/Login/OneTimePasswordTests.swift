// SPDX-License-Identifier: Apache-2.0
// One-time passwords from pass 2 to the host's sealed verdict: who gets one, what it opens, how often.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

extension Enrolled {
    /// A plain login that asks for a one-time password: what pass 2 showed and how the redemption ended.
    fileprivate func password(_ server: Server, pin: String = "1234", wid: String = "0")
        async throws -> (otp: String, status: Int, answer: AuthenticateResponse)
    {
        let proof = try await prove(server, pin: pin, wid: wid, otp: true)
        let response = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof))
        let answer = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(response.body))
        return (try #require(proof.otp), response.status, answer)
    }
}

/// A host's question about a typed one-time password, and the tags in the server's answer.
private struct Asked {
    let host: TestHost
    let question: SealedQuestion
    let tags: [[UInt8]]
    /// The identity whose password was typed, as the module determines it.
    let found: IdentityHash?

    init(
        _ server: Server, _ host: TestHost, ids: [IdentityHash], service: String = "sshd",
        source: String = "203.0.113.9", typed: String = "000000"
    ) async throws {
        self.host = host
        let question = try host.question(server, service: service, source: source, ids: ids)
        let own = try ids.map { try host.key.otpTag(secret(typed), a: question.a, id: $0) }
        let request = try OTPTagsRequest(
            ask: question.octets, askTag: host.tag(question), otpTags: Array(own.joined()))
        let answer = try read(OTPTagsResponse.self, await server.send("POST", Route.otp, request))
        let octets = answer.otpTags.octets
        try #require(octets.count == 32 * ids.count)
        let tags = ids.indices.map { [UInt8](octets[32 * $0..<32 * $0 + 32]) }
        self.question = question
        self.tags = tags
        found = ids.indices.first { tags[$0] == own[$0] }.map { ids[$0] }
    }

    func use(_ server: Server, _ id: IdentityHash) async throws -> (status: Int, verdict: SealedVerdict) {
        let request = AuthenticateRequest(a: question.a, id: id)
        let response = try await server.send("POST", Route.authenticate, request)
        let answer = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(response.body))
        let verdict = try host.key.open(
            answer: #require(answer.answer).octets, tag: #require(answer.answerTag).octets, to: question.a,
            by: .otp)
        return (response.status, verdict)
    }
}

@Suite(.slow) struct OneTimePasswordTests {
    @Test(arguments: [true, false])
    func `the password of a plain login opens a console once`(_ bound: Bool) async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await House.device(server, "alice", bound: bound)
        let (otp, status, answer) = try await alice.password(server)
        let now = Int(server.clock.milliseconds)
        #expect(status == 200 && answer.ttlSeconds == 120)
        #expect(answer.nowTime == now)
        #expect(answer.expireTime == now + 120_000)
        let stranger = IdentityHash(repeating: 7)
        #expect(try await Asked(server, host, ids: [alice.id], typed: "x" + otp.dropFirst()).found == nil)
        let asked = try await Asked(server, host, ids: [stranger, alice.id], typed: otp)
        #expect(asked.found == alice.id)
        let (granted, verdict) = try await asked.use(server, alice.id)
        #expect(granted == 200 && verdict.verdict == .granted && verdict.id == alice.id)
        #expect(try await Asked(server, host, ids: [alice.id], typed: otp).found == nil)
        let record = try #require(await server.storage.auditRecords(AuditQuery(), limit: 1).first?.event)
        #expect(record.kind == "login")
        #expect((record.host, record.source) == ("prod-db1", "prod-db1/203.0.113.9"))
        #expect(record.fields.contains(AuditField("way", "otp")))
        #expect(record.fields.contains(AuditField("verdict", "granted")))
    }

    @Test func `every pass 2 shows six digits, but only those of a right plain login are valid`()
        async throws
    {
        let house = try await House()
        let console = try await house.open()
        let server = house.server
        for (pin, wid) in [("4321", "0"), ("1234", console.wid), ("1234", String(repeating: "a", count: 32))]
        {
            let (otp, status, answer) = try await house.alice.password(server, pin: pin, wid: wid)
            #expect(otp.utf8.count == 6)
            #expect(otp.utf8.allSatisfy { (0x30...0x39).contains($0) })
            #expect(status != 200)
            #expect(answer.expireTime == nil && answer.nowTime == nil && answer.ttlSeconds == nil)
            #expect(try await Asked(server, house.host, ids: [house.alice.id], typed: otp).found == nil)
        }
        // A password that was shown, but whose login has not been redeemed yet.
        _ = try await server.administer("POST", AdminRoute.unlockUser, UserRequest(userId: "alice"))
        let proof = try await house.alice.prove(server, pin: "1234", otp: true)
        let otp = try #require(proof.otp)
        #expect(try await Asked(server, house.host, ids: [house.alice.id], typed: otp).found == nil)
        let plain = try await house.alice.prove(server, pin: "1234")
        #expect(plain.otp == nil)
        let answer = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: plain))
        #expect(try keys(answer) == ["message", "notice", "noticeTag", "version"])
    }

    /// A relay that carries question and answer can return the host's own tags to it, and report to mpind
    /// that the password was typed.
    @Test func `way 3 grants only a password that came with the question, whatever a relay changes`()
        async throws
    {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let bob = try await House.device(server, "bob")
        let otp = try await alice.password(server).otp
        let other = try await bob.password(server).otp
        let wrong = ["000000", "000001", "000002"].first { $0 != otp && $0 != other } ?? ""
        let asked = try await Asked(server, house.host, ids: [alice.id], typed: wrong)
        #expect(try await asked.use(server, alice.id).verdict.verdict == .wrong)
        // Bob's right password does not let anyone in as alice, and alice's is not used up by these tries.
        let both = try await Asked(server, house.host, ids: [alice.id, bob.id], typed: other)
        #expect(both.found == bob.id)
        #expect(try await both.use(server, alice.id).verdict.verdict == .wrong)
        #expect(try await both.use(server, bob.id).verdict.verdict == .granted)
        let right = try await Asked(server, house.host, ids: [alice.id], typed: otp)
        #expect(try await right.use(server, alice.id).verdict.verdict == .granted)
    }

    /// A host that knew the tag of a password could try all digits on it, and use the right ones elsewhere.
    @Test func `a host learns nothing about a password that was not typed there`() async throws {
        let house = try await House()
        let otp = try await house.alice.password(house.server).otp
        let wrong = otp == "000000" ? "000001" : "000000"
        let asked = try await Asked(house.server, house.host, ids: [house.alice.id], typed: wrong)
        let right = try house.host.key.otpTag(secret(otp), a: asked.question.a, id: house.alice.id)
        #expect(asked.found == nil && asked.tags != [right])
    }

    @Test func `a stranger's wrong passwords do not spoil the owner's right one`()
        async throws
    {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let otp = try await alice.password(server).otp
        let wrong = otp == "000000" ? "000001" : "000000"
        for _ in 0..<60 {
            let asked = try await Asked(
                server, house.host, ids: [alice.id], service: "su", source: "local:1001", typed: wrong)
            #expect(asked.found == nil)
        }
        let right = try await Asked(
            server, house.host, ids: [alice.id], service: "sudo", source: "local:1000", typed: otp)
        #expect(try await right.use(server, alice.id).verdict.verdict == .granted)
    }

    @Test func `a password is tagged for five questions of a source, and a host's PIN identity has none`()
        async throws
    {
        let house = try await House()
        let server = house.server
        let here = try await house.host.enrol(server, "bob", code: server.add("bob"), pin: "1234")
        let question = try house.host.question(server, ids: [here.id])
        let proof = try await here.prove(
            server, pin: "1234", question: question, tag: house.host.tag(question), otp: true)
        #expect(try await house.host.redeem(server, proof, question).verdict.verdict == .granted)
        #expect(try await Asked(server, house.host, ids: [here.id], typed: #require(proof.otp)).found == nil)
        let otp = try await house.alice.password(server).otp
        var last: Asked?
        for _ in 0..<5 {
            last = try await Asked(server, house.host, ids: [house.alice.id], typed: otp)
            #expect(last?.found == house.alice.id)
        }
        #expect(try await Asked(server, house.host, ids: [house.alice.id], typed: otp).found == nil)
        #expect(try await last?.use(server, house.alice.id).verdict.verdict == .granted)
    }

    @Test func `way 3 needs a question about that identity, a living password, and no revocation`()
        async throws
    {
        let house = try await House()
        let (server, alice) = (house.server, house.alice)
        let bob = try await House.device(server, "bob")
        _ = try await bob.password(server)
        let otp = try await alice.password(server).otp
        let asked = try await Asked(server, house.host, ids: [alice.id], typed: otp)
        let others = try house.host.question(server, ids: [alice.id])
        for (a, id, status) in [
            (asked.question.a, hexText(bob.id), 408), (others.a, hexText(alice.id), 408),
            (asked.question.a, "", 400),
        ] {
            let body = #"{"A":"\#(hexText(a))","id":"\#(id)"}"#
            let answer = await server.send("POST", Route.authenticate, [UInt8](body.utf8))
            #expect(answer.status == status)
            #expect(try keys(answer) == ["message", "version"])
        }
        #expect(try await asked.use(server, alice.id).verdict.verdict == .granted)
        // The question is answered once.
        let again = AuthenticateRequest(a: asked.question.a, id: alice.id)
        #expect(try await server.send("POST", Route.authenticate, again).status == 408)
        let second = try await Asked(server, house.host, ids: [alice.id, bob.id])
        let wrong = try await second.use(server, alice.id)
        #expect(wrong.status == 401 && wrong.verdict.verdict == .wrong && wrong.verdict.id == .zero)
        _ = try await server.administer("POST", AdminRoute.revokeUser, UserRequest(userId: "bob"))
        #expect(try await second.use(server, bob.id).verdict.verdict == .revoked)
    }

    @Test(arguments: [("", 120), ("otp-life = 120", 120), ("otp-life = 20", 20)])
    func `a password expires when the settings say, and so do the questions about it`(
        _ line: String, _ seconds: Int64
    ) async throws {
        let house = try await House(lives: settings(line).lives)
        let (otp, _, answer) = try await house.alice.password(house.server)
        #expect(answer.ttlSeconds == Int(seconds))
        house.server.clock.advance(seconds: seconds - 1)
        let asked = try await Asked(house.server, house.host, ids: [house.alice.id], typed: otp)
        #expect(asked.found == house.alice.id)
        house.server.clock.advance(seconds: 1)
        #expect(try await asked.use(house.server, house.alice.id).verdict.verdict == .wrong)
        #expect(try await Asked(house.server, house.host, ids: [house.alice.id], typed: otp).found == nil)
    }

    @Test func `a question must be sealed and fresh, works once, and hides who has one`() async throws {
        let house = try await House()
        let server = house.server
        _ = try await house.alice.password(server)
        func ask(_ question: SealedQuestion, _ tag: [UInt8]) async throws -> Response {
            let none = [UInt8](repeating: 0, count: 32 * question.ids.count)
            return try await server.send(
                "POST", Route.otp, OTPTagsRequest(ask: question.octets, askTag: tag, otpTags: none))
        }
        let fresh = try house.host.question(server, ids: [house.alice.id])
        #expect(try await ask(fresh, [UInt8](repeating: 0, count: 32)).status == 403)
        #expect(try await ask(fresh, house.host.tag(fresh)).status == 200)
        #expect(try await ask(fresh, house.host.tag(fresh)).status == 408)
        let late = try house.host.question(server, ids: [], off: -601)
        #expect(try await ask(late, house.host.tag(late)).status == 408)
        for body in ["", "{}", "[]", #"{"ask":"00"}"#] {
            #expect(await server.send("POST", Route.otp, [UInt8](body.utf8)).status == 400)
        }
        let nobody = try await Asked(server, house.host, ids: [])
        #expect(nobody.tags == [])
        let one = IdentityHash(repeating: 1)
        let tags = try await Asked(server, house.host, ids: [one, one, house.alice.id]).tags
        #expect(Set(tags).count == 3)
    }

    @Test func `tags and answer are made with the host key of the question, and a removed host gets none`()
        async throws
    {
        let house = try await House()
        let otp = try await house.alice.password(house.server).otp
        let rotated = try await house.server.join("prod-db1", rotate: true)
        for host in [house.host, rotated] {
            let asked = try await Asked(house.server, host, ids: [house.alice.id], typed: otp)
            #expect(asked.found == house.alice.id)
        }
        let asked = try await Asked(house.server, rotated, ids: [house.alice.id])
        _ = try await house.server.administer(
            "POST", AdminRoute.removeHost, HostRequest(host: "prod-db1"))
        let answer = try await house.server.send(
            "POST", Route.authenticate, AuthenticateRequest(a: asked.question.a, id: house.alice.id))
        #expect(answer.status == 403)
        #expect(try keys(answer) == ["message", "version"])
    }

    @Test func `the database contains neither a password nor its digits, and a restart loses none`()
        async throws
    {
        let house = try await House()
        let otp = try await house.alice.password(house.server).otp
        for file in ["mpind.db", "mpind.db-wal"] {
            let octets = [UInt8](try Data(contentsOf: URL(filePath: house.server.folder + "/" + file)))
            #expect(!octets.contains([UInt8](otp.utf8)))
        }
        let again = try await house.server.restarted()
        let asked = try await Asked(again, house.host, ids: [house.alice.id], typed: otp)
        #expect(asked.found == house.alice.id)
        let third = try await again.restarted()
        #expect(try await asked.use(third, house.alice.id).verdict.verdict == .granted)
        withExtendedLifetime((house.server, again)) {}
    }

    @Test(arguments: [true, false])
    func `clientSettings make pads in browsers request passwords if the setting says so`(
        _ requests: Bool
    ) async throws {
        let answer = try await Server(requestsOTP: requests).send("GET", Route.clientSettings)
        #expect(try read(ClientSettings.self, answer).requestOTP == Flag(requests))
    }
}
