// SPDX-License-Identifier: Apache-2.0
// A login host as the module would be it: seals questions, opens answers.
import FoundationEssentials
import MPin
import MPinService
import MPinWire
import Secrets
import Testing

final class TestHost: Sendable {
    let key: HostKey

    init(key: consuming HostKey) { self.key = key }

    /// A fresh question.
    func ask(
        _ server: Server, service: String = "sudo", account: String = "alice", source: String = "local:1000",
        ids: [[UInt8]], off seconds: Int64 = 0, flags: UInt8 = 0, life: UInt16 = 90
    ) throws -> SealedQuestion {
        let time = UInt64(server.clock.now.seconds + seconds)
        let nonce = try #require(SealedQuestion.nonce(at: time, random: randomOctets(24)))
        return try #require(
            SealedQuestion(
                host: key.name, nonce: nonce, service: [UInt8](service.utf8), account: [UInt8](account.utf8),
                source: [UInt8](source.utf8), tty: [], flags: flags, life: life, ids: ids))
    }

    func tag(_ ask: SealedQuestion) throws -> [UInt8] { try key.tag(of: ask) }

    /// Registers for a PIN on this host, with a code or a login: the sealed question and the answer.
    func register(
        _ server: Server, _ userID: String, account: String = "alice", code: String? = nil,
        authOTT: String? = nil
    ) async throws -> (ask: SealedQuestion, registered: RegisterResponse) {
        let ask = try ask(server, service: "enroll", account: account, ids: [])
        var asked = RegisterRequest(userId: userID)
        asked.activateCode = code
        asked.authOTT = authOTT
        asked.ask = HexOctets(ask.octets)
        asked.askTag = HexOctets(try tag(ask))
        return (ask, try read(RegisterResponse.self, await server.send("PUT", Route.user, asked)))
    }

    /// Enrols for a PIN on this host, with a code.
    func enrol(_ server: Server, _ userID: String, code: String, pin: String) async throws -> Enrolled {
        let (ask, registered) = try await register(server, userID, code: code)
        return try await fetch(server, registered, ask, pin: pin)
    }

    /// The client secret of a registration, cut by a PIN.
    func fetch(
        _ server: Server, _ registered: RegisterResponse, _ ask: SealedQuestion, pin: String
    ) async throws -> Enrolled {
        try #require(registered.active.isOn)
        let id = identityHash(registered.mpinId.octets)
        let (first, second) = try await shares(server, registered, query: "&A=" + HexOctets(ask.a).text)
        let secret = try clientSecret(
            key.open(#require(first.sealedShare).octets, .first, a: ask.a, id: id),
            key.open(#require(second.sealedShare).octets, .second, a: ask.a, id: id))
        return try Enrolled(mpinID: registered.mpinId.octets, clientSecret: secret, pin: pin)
    }

    /// One PIN try from the question to the opened answer.
    func login(
        _ server: Server, _ who: Enrolled, pin: String, source: String = "local:1000"
    ) async throws -> (status: Int, verdict: SealedVerdict) {
        let ask = try ask(server, source: source, ids: [who.id])
        let proof = try await who.prove(server, pin: pin, ask: ask, tag: tag(ask))
        return try await redeem(server, proof, ask)
    }

    func redeem(
        _ server: Server, _ proof: PassTwoResponse, _ ask: SealedQuestion
    ) async throws -> (status: Int, verdict: SealedVerdict) {
        let response = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: ask.a))
        let answer = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(response.body))
        let verdict = try key.open(
            answer: #require(answer.answer).octets, tag: #require(answer.answerTag).octets, to: ask.a,
            by: .pin)
        return (response.status, verdict)
    }
}

/// Fetches both shares as a client does: signature, then D-TA 2 with the query as it came.
func shares(
    _ server: Server, _ registered: RegisterResponse, query: String = ""
) async throws -> (SignatureResponse, ClientSecretResponse) {
    let target = "\(Route.signature)/\(registered.mpinId.text)?regOTT=\(registered.regOTT)\(query)"
    let first = try read(SignatureResponse.self, await server.send("GET", target))
    let second = try read(
        ClientSecretResponse.self, await server.send("GET", Route.authorityClientSecret + "?" + first.params))
    return (first, second)
}
