// SPDX-License-Identifier: Apache-2.0
// A login host in place of the module: seals questions, opens answers.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import Testing

final class TestHost: Sendable {
    let key: HostKey

    init(key: consuming HostKey) { self.key = key }

    /// A fresh question.
    func question(
        _ server: Server, service: String = "sudo", account: String = "alice", source: String = "local:1000",
        ids: [IdentityHash], off seconds: Int64 = 0, flags: UInt8 = 0, life: UInt16 = 90
    ) throws -> SealedQuestion {
        let time = UInt64(server.clock.now.seconds + seconds)
        let nonce = try #require(SealedQuestion.nonce(at: time, random: randomOctets(24)))
        return try #require(
            SealedQuestion(
                host: key.name, nonce: nonce, service: [UInt8](service.utf8), account: [UInt8](account.utf8),
                source: [UInt8](source.utf8), tty: [], flags: flags, life: life, ids: ids))
    }

    func tag(_ question: SealedQuestion) throws -> [UInt8] { try key.tag(of: question) }

    /// Registers for a PIN on this host, with a code or a proof; returns the sealed question and the answer.
    func register(
        _ server: Server, _ userID: String, account: String = "alice", code: String? = nil,
        authOTT: String? = nil
    ) async throws -> (question: SealedQuestion, registered: RegisterResponse) {
        let question = try question(server, service: "enroll", account: account, ids: [])
        var asked = RegisterRequest(userId: userID)
        asked.activateCode = code
        asked.authOTT = authOTT
        asked.ask = HexOctets(question.octets)
        asked.askTag = HexOctets(try tag(question))
        return (question, try read(RegisterResponse.self, await server.send("PUT", Route.user, asked)))
    }

    /// Enrols for a PIN on this host, with a code.
    func enrol(_ server: Server, _ userID: String, code: String, pin: String) async throws -> Enrolled {
        let (question, registered) = try await register(server, userID, code: code)
        return try await fetch(server, registered, question, pin: pin)
    }

    /// Fetches the client secret of a registration, and makes a token of it with a PIN.
    func fetch(
        _ server: Server, _ registered: RegisterResponse, _ question: SealedQuestion, pin: String
    ) async throws -> Enrolled {
        try #require(registered.active.isOn)
        let id = identityHash(registered.mpinId.octets)
        let (first, second) = try await shares(server, registered, query: "&A=" + HexOctets(question.a).text)
        let secret = try clientSecret(
            key.open(#require(first.sealedShare).octets, .first, a: question.a, id: id),
            key.open(#require(second.sealedShare).octets, .second, a: question.a, id: id))
        return try Enrolled(mpinID: registered.mpinId.octets, clientSecret: secret, pin: pin)
    }

    /// One PIN try from the question to the opened answer.
    func login(
        _ server: Server, _ who: Enrolled, pin: String, source: String = "local:1000"
    ) async throws -> (status: Int, verdict: SealedVerdict) {
        let question = try question(server, source: source, ids: [who.id])
        let proof = try await who.prove(server, pin: pin, question: question, tag: tag(question))
        return try await redeem(server, proof, question)
    }

    func redeem(
        _ server: Server, _ proof: PassTwoResponse, _ question: SealedQuestion
    ) async throws -> (status: Int, verdict: SealedVerdict) {
        let response = try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof, a: question.a))
        let answer = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(response.body))
        let verdict = try key.open(
            answer: #require(answer.answer).octets, tag: #require(answer.answerTag).octets, to: question.a,
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
