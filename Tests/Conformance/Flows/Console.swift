// SPDX-License-Identifier: Apache-2.0
// A login host beside the device: a console that shows number and QR code, and waits for a sealed verdict.
import FoundationEssentials
import MPin
import MPinCurl
import MPinWire
import Octets
import Secrets

/// A host that has joined the server.
final class LoginHost {
    let name: String
    let key: HostKey
    private let line: Line

    init(_ fixture: FlowFixture) throws {
        let name = "host-\(UInt32.random(in: 0 ... .max))"
        let added = try fixture.mpind(["host", "add", name], as: HostCodeResponse.self)
        let code = try unsafe OneTimeCode(typed: Secret(copying: [UInt8](added.joinCode.utf8).span.bytes))
        line = try Line(fixture.place)
        let joined = try line.read(
            HostJoinResponse.self,
            line.post(Route.host, HostJoinRequest(host: name, joinId: code.joinID())))
        self.name = name
        key = try HostKey(
            name: [UInt8](name.utf8), epoch: joined.epoch, sealedKey: joined.sealedKey.octets,
            joinKey: code.joinKey(host: [UInt8](name.utf8)))
    }

    /// Opens a session for a login by ssh, as alice.
    func console(for mpinIDs: [[UInt8]]) throws -> Console {
        let time = UInt64(Date().timeIntervalSince1970)
        guard
            let nonce = try SealedQuestion.nonce(at: time, random: randomOctets(24)),
            let question = SealedQuestion(
                host: key.name, nonce: nonce, service: [UInt8]("sshd".utf8), account: [UInt8]("alice".utf8),
                source: [UInt8]("203.0.113.9".utf8), tty: [], flags: 0, life: 90,
                ids: mpinIDs.map { identityHash($0) })
        else { throw Missing(what: "a question") }
        let request = SealedRequest(ask: question.octets, askTag: try key.tag(of: question))
        let opened = try line.read(SessionResponse.self, line.post(Route.getQrUrl, request))
        return Console(host: self, a: question.a, opened: opened)
    }

    /// The verdict on a session, as the console gets it.
    fileprivate func verdict(_ a: QuestionHash) throws -> SealedVerdict {
        let said = try line.post(Route.authenticate, AuthenticateRequest(a: a))
        let answer = try JSONDecoder().decode(AuthenticateResponse.self, from: Data(said.body))
        guard let sealed = answer.answer, let tag = answer.answerTag else { throw Missing(what: "a verdict") }
        return try key.open(answer: sealed.octets, tag: tag.octets, to: a, by: .phone)
    }
}

/// A session that a host has opened.
struct Console {
    let host: LoginHost
    fileprivate let a: QuestionHash
    fileprivate let opened: SessionResponse

    var number: String { opened.accessNumber ?? "" }
    /// The wid, from the QR code's address.
    var wid: String { opened.qrUrl?.split(separator: "#").last.map { String($0) } ?? "" }

    /// The approval code that the console computes itself and waits for.
    func approvalCode() throws -> String {
        try host.key.phoneCode(a: a, wid: [UInt8](wid.utf8)).withBytes { code in
            String(
                decoding: (0..<code.byteCount).map {
                    unsafe code.unsafeLoad(fromByteOffset: $0, as: UInt8.self)
                }, as: UTF8.self)
        }
    }

    /// Fetches the verdict, which ends the session.
    func verdict() throws -> Verdict { try host.verdict(a).verdict }
}
