// SPDX-License-Identifier: Apache-2.0
// A session that binds a phone, as its host sees it; and phones that were enrolled by a QR code.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import Testing

struct BindSession: Sendable {
    let host: TestHost
    let bind: Bind
    let wid: String
    let number: String

    /// Opens a session for alice's account.
    static func open(
        _ server: Server, _ host: TestHost, userID: String = "", life: UInt16 = 90
    ) async throws -> BindSession {
        let bind = try host.bind(server, userID: userID, life: life)
        let session = try read(
            SessionResponse.self,
            await server.send(
                "POST", Route.getQrUrl, BindRequest(bind: bind.octets, bindTag: host.key.tag(of: bind))))
        let wid = String((session.qrUrl ?? "").drop { $0 != "#" }.dropFirst())
        let number = try #require(session.accessNumber)
        let sealed = try #require(
            SealedSession(
                a: bind.a, wid: [UInt8](wid.utf8), number: [UInt8](number.utf8),
                life: UInt16(session.ttlSeconds)))
        #expect(try host.key.verifies(#require(session.sessionTag).octets, of: sealed))
        return BindSession(host: host, bind: bind, wid: wid, number: number)
    }

    /// The approval code that the phone of an identity shows.
    func code(_ id: IdentityHash) throws -> String {
        String(
            decoding: revealed(try host.key.bindCode(a: bind.a, wid: [UInt8](wid.utf8), id: id)),
            as: UTF8.self)
    }

    /// Fetches the sealed answer, which names who approved, by A alone.
    func answer(_ server: Server) async throws -> SealedBindAnswer {
        let said = try read(
            AuthenticateResponse.self,
            await server.send("POST", Route.authenticate, AuthenticateRequest(a: bind.a)))
        let answer = try host.key.open(
            bindAnswer: #require(said.bindAnswer).octets, tag: #require(said.bindAnswerTag).octets,
            to: bind.a)
        return try #require(answer)
    }

    /// Reports as the host that the typed approval code was that of `id`.
    func done(_ server: Server, _ id: IdentityHash, tag: [UInt8]? = nil) async throws -> Response {
        var message = AuthenticateRequest(a: bind.a)
        message.bindDoneTag = HexOctets(try tag ?? host.key.bindDoneTag(a: bind.a, id: id))
        return try await server.send("POST", Route.authenticate, message)
    }

    /// The same; returns whether the identity may approve logins now.
    func confirms(_ server: Server, _ id: IdentityHash) async throws -> Bool? {
        try read(AuthenticateResponse.self, await done(server, id)).confirmed
    }
}

extension TestHost {
    func bind(
        _ server: Server, account: String = "alice", userID: String = "", off seconds: Int64 = 0,
        life: UInt16 = 90
    ) throws -> Bind {
        let time = UInt64(server.clock.now.seconds + seconds)
        let nonce = try #require(SealedQuestion.nonce(at: time, random: randomOctets(24)))
        return try #require(
            Bind(
                host: key.name, nonce: nonce, account: [UInt8](account.utf8),
                source: [UInt8]("local:1000".utf8), userID: [UInt8](userID.utf8), life: life))
    }
}

extension Server {
    func addByQRCode(_ userID: String) async throws -> AddUserResponse {
        let asked = AddUserRequest(userId: userID, replace: false, byQRCode: true)
        return try read(AddUserResponse.self, await administer("POST", AdminRoute.users, asked))
    }

    /// A phone that has scanned a QR code with a code.
    func enrolledByQRCode(_ userID: String) async throws -> Enrolled {
        try await Enrolled.onDevice(
            self, userID, code: addByQRCode(userID).activationCode, pin: "1234", bound: true)
    }
}
