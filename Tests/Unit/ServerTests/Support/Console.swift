// SPDX-License-Identifier: Apache-2.0
// The two ends of a console's session: the host that shows it, and the device that answers for it.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import Testing

/// A session as its host sees it.
struct Console: Sendable {
    let host: TestHost
    let question: SealedQuestion
    let session: SessionResponse
    let number: String

    var wid: String { String((session.qrUrl ?? "").drop { $0 != "#" }.dropFirst()) }

    /// The approval code that this host waits for.
    func code() throws -> String {
        String(
            decoding: revealed(try host.key.phoneCode(a: question.a, wid: [UInt8](wid.utf8))), as: UTF8.self)
    }

    /// Fetches the verdict of the session, by A alone.
    func settle(_ server: Server) async throws -> (status: Int, verdict: SealedVerdict) {
        let response = try await server.send("POST", Route.authenticate, AuthenticateRequest(a: question.a))
        let answer = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(response.body))
        let verdict = try host.key.open(
            answer: #require(answer.answer).octets, tag: #require(answer.answerTag).octets, to: question.a,
            by: .phone)
        return (response.status, verdict)
    }

    func abort(_ server: Server, a: QuestionHash?) async throws -> Response {
        try await server.send(
            "POST", Route.codeStatus, CodeStatusRequest(status: "abort", wid: wid, a: a))
    }
}

extension TestHost {
    /// Opens a session for these ids.
    func open(
        _ server: Server, ids: [IdentityHash], source: String = "203.0.113.9", flags: UInt8 = 0,
        life: UInt16 = 90
    ) async throws -> Console {
        let question = try question(
            server, service: "sshd", source: source, ids: ids, flags: flags, life: life)
        let opened = try await server.send(
            "POST", Route.getQrUrl, SealedRequest(ask: question.octets, askTag: tag(question)))
        let session = try read(SessionResponse.self, opened)
        return Console(
            host: self, question: question, session: session, number: try #require(session.accessNumber))
    }
}

/// The details of a live session; nil for the answer that every other name gets.
func look(
    _ server: Server, _ wid: String, as device: Enrolled? = nil, peer: Peer = Server.address
) async throws -> CodeStatusResponse? {
    var asked = CodeStatusRequest(status: "wid", wid: wid)
    try device?.tag(&asked)
    let answer = try read(
        CodeStatusResponse.self, await server.send("POST", Route.codeStatus, asked, peer: peer))
    return answer == CodeStatusResponse() ? nil : answer
}

/// The answer to a device that asks what waits, with a clock that is so many seconds off.
func list(
    _ server: Server, for device: Enrolled, off seconds: Int64 = 0, peer: Peer = Server.address
) async throws -> Response {
    let question = try device.question(waitingAt: UInt64(server.clock.now.seconds + seconds))
    return try await server.send("POST", Route.waiting, question, peer: peer)
}

/// The list in such an answer.
func waiting(_ server: Server, for device: Enrolled) async throws -> [WaitingLogin] {
    try await read(WaitingResponse.self, list(server, for: device)).waiting
}

extension Enrolled {
    /// Runs both passes of a device for the details it showed, and computes y again, as our clients do.
    func prove(
        _ server: Server, seen: [UInt8], wid: String, pin: String = "1234",
        permit given: (date: UInt32, octets: [UInt8])? = nil, peer: Peer = Server.address
    ) async throws -> PassTwoResponse {
        let permit = if let given { given } else { try await permit(server) }
        let proof = try passOne(pin: pin, permit: permit)
        var first = PassOneRequest(mpinID: mpinID, u: proof.u, ut: proof.ut)
        first.seen = HexOctets(seen)
        try tag(&first)
        let begun = try read(
            PassOneResponse.self, await server.send("POST", Route.passOne, first, peer: peer))
        let n = try #require(begun.n)
        #expect(
            try begun.y
                == challenge(
                    n: n, id: id, u: first.u.octets, ut: first.ut.octets, purpose: PurposeHash(sha256: seen)))
        let v = try proof.answer(y: begun.y)
        var second = PassTwoRequest(mpinID: mpinID, v: v, wid: wid, otp: false, n: n)
        try tag(&second, to: begun)
        return try read(
            PassTwoResponse.self, await server.send("POST", Route.passTwo, second, peer: peer))
    }

    func redeem(
        _ server: Server, _ proof: PassTwoResponse, deny: Bool? = nil, peer: Peer = Server.address
    ) async throws -> Response {
        try await server.send(
            "POST", Route.mobileAuthenticate, AuthenticateRequest(mpinResponse: proof, deny: deny),
            peer: peer)
    }

    /// Looks up, proves and redeems: all that a device does for a session.
    func answer(
        _ server: Server, _ wid: String, pin: String = "1234", deny: Bool? = nil,
        permit: (date: UInt32, octets: [UInt8])? = nil, peer: Peer = Server.address
    ) async throws -> Response {
        let seen = try #require(await look(server, wid, as: self, peer: peer)?.seen).octets
        let proof = try await prove(server, seen: seen, wid: wid, pin: pin, permit: permit, peer: peer)
        return try await redeem(server, proof, deny: deny, peer: peer)
    }
}

/// A server with one host, and alice with a device.
struct House {
    let server: Server
    let host: TestHost
    let alice: Enrolled

    init(lives: Lives = Lives(), service: ServiceDescription = ServiceDescription()) async throws {
        server = try Server(service: service, lives: lives)
        host = try await server.join("prod-db1")
        alice = try await House.device(server, "alice")
    }

    static func device(_ server: Server, _ userID: String, bound: Bool = true) async throws -> Enrolled {
        try await Enrolled.onDevice(server, userID, code: server.add(userID), pin: "1234", bound: bound)
    }

    func open() async throws -> Console { try await host.open(server, ids: [alice.id]) }

    /// Expects that alice can approve and be let in, which shows that nothing before has changed the session.
    func expectLogin(_ console: Console, at location: SourceLocation = #_sourceLocation) async throws {
        let approved = try read(
            AuthenticateResponse.self, await alice.answer(server, console.wid), at: location)
        #expect(try approved.code == console.code(), sourceLocation: location)
        let (status, verdict) = try await console.settle(server)
        #expect(status == 200, sourceLocation: location)
        #expect(verdict.verdict == .granted, sourceLocation: location)
        #expect(verdict.id == alice.id, sourceLocation: location)
    }
}
