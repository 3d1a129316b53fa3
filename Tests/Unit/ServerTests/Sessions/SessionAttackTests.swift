// SPDX-License-Identifier: Apache-2.0
// Attackers between device and server, or who saw the screen, change nothing (T 3, T 6, T 12, T 13, T 23).
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct SessionAttackTests {
    private func seen(
        _ right: ApprovalDetails, origin: String? = nil, wid: String? = nil, host: String? = nil,
        service: String? = nil, account: String? = nil, source: String? = nil, later seconds: Int64 = 0
    ) throws -> [UInt8] {
        func or(_ text: String?, _ octets: [UInt8]) -> [UInt8] { text.map { [UInt8]($0.utf8) } ?? octets }
        return try #require(
            ApprovalDetails(
                origin: or(origin, right.origin), wid: or(wid, right.wid), host: or(host, right.host),
                service: or(service, right.service), account: or(account, right.account),
                source: or(source, right.source), seconds: UInt64(Int64(right.seconds) + seconds))
        ).octets
    }

    @Test func `details that this server would not write are refused, and not counted as a wrong PIN`()
        async throws
    {
        let house = try await House()
        let (console, other) = (try await house.open(), try await house.open())
        let told = try #require(await look(house.server, console.wid)?.seen).octets
        let right = try #require(ApprovalDetails(decoding: told))
        for shown in try [
            seen(right, origin: "https://login-example.org"), seen(right, wid: console.number),
            seen(right, wid: other.wid, host: "build-7"), seen(right, host: "prod-db2"),
            seen(right, service: "sudo"), seen(right, account: "root"), seen(right, source: "203.0.113.10"),
            seen(right, later: -1), seen(right, later: 91), right.octets + [0], [],
        ] {
            // The access number is as good as the wid, if every other detail is right.
            let isRight = ApprovalDetails(decoding: shown)?.wid == [UInt8](console.number.utf8)
            let proof = try await house.alice.prove(house.server, seen: shown, wid: console.wid)
            #expect(try await house.alice.redeem(house.server, proof).status == (isRight ? 200 : 412))
        }
        // If one of them had been counted, these two wrong PINs would lock.
        for _ in 0..<2 {
            #expect(try await house.alice.answer(house.server, other.wid, pin: "4321").status == 401)
        }
        for console in [console, other] { try await house.expectLogin(console) }
    }

    @Test func `a proof made for one session is worth nothing in another`() async throws {
        let house = try await House()
        let (console, other) = (try await house.open(), try await house.open())
        let shown = try #require(await look(house.server, console.wid)?.seen).octets
        for wid in [other.wid, other.number, "0"] {
            let proof = try await house.alice.prove(house.server, seen: shown, wid: wid)
            #expect(try await house.alice.redeem(house.server, proof).status != 200)
            #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
            #expect(try await other.settle(house.server).verdict.verdict == .notApproved)
            let login = try await house.server.send(
                "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof))
            #expect(login.status == 408)
            _ = try await house.server.administer(
                "POST", AdminRoute.unlockUser, UserRequest(id: house.alice.id))
        }
        for console in [console, other] { try await house.expectLogin(console) }
    }

    @Test func `a proof with fewer bindings than our clients use is refused`() async throws {
        let house = try await House()
        let console = try await house.host.open(
            house.server, ids: [house.alice.id], flags: SealedQuestion.acceptsUnseen)
        // Without `seen`: counted as wrong, even where Milagro's clients may leave it out.
        let unseen = try await house.alice.prove(house.server, pin: "1234", wid: console.wid)
        #expect(try await house.alice.redeem(house.server, unseen).status == 401)
        // Without n: no pass 1 matches.
        let proof = try house.alice.passOne(pin: "1234", permit: await house.alice.permit(house.server))
        var first = PassOneRequest(mpinID: house.alice.mpinID, u: proof.u, ut: proof.ut)
        first.seen = try #require(await look(house.server, console.wid)?.seen)
        let begun = try read(PassOneResponse.self, await house.server.send("POST", Route.passOne, first))
        let second = PassTwoRequest(
            mpinID: house.alice.mpinID, v: try proof.answer(y: begun.y), wid: console.wid, otp: false)
        #expect(try await house.server.send("POST", Route.passTwo, second).status == 403)
        // With a host's question as well: that question decides.
        let question = try house.host.question(house.server, ids: [house.alice.id])
        let sealed = try await house.alice.prove(
            house.server, pin: "1234", question: question, tag: house.host.tag(question), wid: console.wid)
        #expect(try await house.alice.redeem(house.server, sealed).status != 200)
        try await house.expectLogin(console)
    }

    @Test func `a Milagro device approves only where the host permits it`() async throws {
        let house = try await House()
        let milagro = try await House.device(house.server, "carol", bound: false)
        let strict = try await house.host.open(house.server, ids: [milagro.id])
        let lenient = try await house.host.open(
            house.server, ids: [milagro.id], flags: SealedQuestion.acceptsUnseen)
        let refused = try await milagro.prove(house.server, pin: "1234", wid: strict.number)
        #expect(try await milagro.redeem(house.server, refused).status == 412)
        #expect(try await strict.settle(house.server).verdict.verdict == .notApproved)
        let proof = try await milagro.prove(house.server, pin: "1234", wid: lenient.number)
        let answer = try await milagro.redeem(house.server, proof)
        #expect(try keys(answer) == ["logoutData", "logoutURL"])
        #expect(answer.status == 200)
        let (_, verdict) = try await lenient.settle(house.server)
        #expect(verdict.verdict == .granted)
        #expect(verdict.id == milagro.id)
    }

    @Test func `a stranger who scans the QR code first gets 412`() async throws {
        let house = try await House()
        let mallory = try await House.device(house.server, "mallory")
        let milagro = try await House.device(house.server, "carol", bound: false)
        let onHost = try await house.host.enrol(
            house.server, "dave", code: house.server.add("dave"), pin: "1234")
        let console = try await house.host.open(
            house.server, ids: [house.alice.id, onHost.id], flags: SealedQuestion.acceptsUnseen)
        for deny in [nil, true] {
            for pin in ["1234", "4321"] {
                #expect(
                    try await mallory.answer(house.server, console.wid, pin: pin, deny: deny).status == 412)
            }
            let proof = try await milagro.prove(house.server, pin: "1234", wid: console.wid)
            #expect(try await milagro.redeem(house.server, proof, deny: deny).status == 412)
            // An identity for a PIN on the host is not a device, although the question lists it.
            #expect(try await onHost.answer(house.server, console.wid, deny: deny).status == 412)
        }
        try await house.expectLogin(console)
    }

    @Test func `no status that a stranger sends changes a session`() async throws {
        let house = try await House()
        let console = try await house.open()
        for status in ["expired", "authenticate", "user", "abort", "new", "deny", "200"] {
            for wid in [console.wid, console.number] {
                var lie = CodeStatusRequest(status: status, wid: wid)
                lie.userId = "mallory"
                let answer = try await house.server.send("POST", Route.codeStatus, lie)
                #expect(answer.status == 200)
                #expect(answer.body == [UInt8]("{\"Status\":\"OK\"}".utf8))
            }
        }
        try await house.expectLogin(console)
    }

    @Test func `a client that tries numbers learns nothing and disturbs nothing`() async throws {
        let house = try await House()
        let console = try await house.open()
        let mallory = Peer.address("198.51.100.7")
        var answers: Set<[UInt8]> = []
        for guess in 100_000..<100_100 {
            guard let check = AccessNumber.checkDigit(of: [UInt8]("\(guess)".utf8)) else { continue }
            let number = "\(guess)" + String(decoding: [check], as: UTF8.self)
            guard number != console.number else { continue }
            let body = CodeStatusRequest(status: "wid", wid: number)
            answers.insert(try await house.server.send("POST", Route.codeStatus, body, peer: mallory).body)
        }
        #expect(answers.count == 1)
        #expect(try await look(house.server, console.number, peer: mallory) == nil)
        #expect(try await look(house.server, console.number) != nil)
        try await house.expectLogin(console)
    }

    @Test func `a flood of a stranger's invalid proofs does not make a device's right PIN wrong`()
        async throws
    {
        let house = try await House()
        let mallory = Peer.address("198.51.100.7")
        let u = try house.alice.passOne(pin: "9999", permit: await house.alice.permit(house.server)).u
        let consoles = [try await house.open(), try await house.open(), try await house.open()]
        let seen = try #require(await look(house.server, consoles[0].wid)?.seen)
        async let flood = garbage(house, u, seen, wid: consoles[0].wid, from: mallory)
        for console in consoles { try await house.expectLogin(console) }
        #expect(try await flood == 60)
        try await house.expectLogin(try await house.open())
    }

    /// Pass 1 with the details that alice's device showed, pass 2 with and without its n; returns how many
    /// were answered.
    private func garbage(
        _ house: House, _ u: [UInt8], _ seen: HexOctets, wid: String, from peer: Peer
    ) async throws -> Int {
        var answered = 0
        for _ in 0..<20 {
            var first = PassOneRequest(mpinID: house.alice.mpinID, u: u, ut: u)
            first.seen = seen
            let begun = try read(
                PassOneResponse.self, await house.server.send("POST", Route.passOne, first, peer: peer))
            for n in [nil, ServerNonce(repeating: 7), begun.n] {
                let second = PassTwoRequest(mpinID: house.alice.mpinID, v: u, wid: wid, otp: false, n: n)
                let status = try await house.server.send("POST", Route.passTwo, second, peer: peer).status
                answered += status == 200 || status == 403 ? 1 : 0
            }
        }
        return answered
    }

    @Test func `an invalid proof that names the session first does not become its login`() async throws {
        // As T-32 and T-33 did to Milagro's server: there the older authOTT became the victim's login.
        let house = try await House()
        let victim = try await House.device(house.server, "victim", bound: false)
        let attacker = try await House.device(house.server, "attacker", bound: false)
        let console = try await house.host.open(
            house.server, ids: [victim.id], flags: SealedQuestion.acceptsUnseen)
        let garbage = try await attacker.prove(house.server, pin: "4321", wid: console.number)
        let proof = try await victim.prove(house.server, pin: "1234", wid: console.number)
        let login = AuthenticateRequest(mpinResponse: garbage)
        #expect(try await house.server.send("POST", Route.authenticate, login).status == 408)
        #expect(try await attacker.redeem(house.server, garbage).status == 412)
        #expect(try await console.settle(house.server).verdict.verdict == .notApproved)
        #expect(try await victim.redeem(house.server, proof).status == 200)
        #expect(try await console.settle(house.server).verdict.id == victim.id)
    }
}
