// SPDX-License-Identifier: Apache-2.0
// mpind answers recorded requests as the Milagro server did, except for differences that are listed with a
// reason.
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct TranscriptTests {
    @Test func `a registration, and a login with the right PIN`() async throws {
        let replay = try Replay()
        try await compare("01-register-forceactivate", replay)
        try await compare("02-auth-good", replay)
    }

    @Test func `a registration, and three logins with a wrong PIN`() async throws {
        let replay = try Replay()
        replay.pin = "4321"
        try await compare("03-wrong-pin-blocked", replay)
    }

    @Test func `malformed, foreign and late requests`() async throws {
        let replay = try Replay()
        for name in [
            "20-raw-user-errors", "21-raw-signature-errors", "22-raw-timepermit", "23-raw-pass-errors",
            "24-raw-authenticate-errors",
        ] {
            try await compare(name, replay)
        }
    }

    @Test func `a D-TA's requests, right and wrong`() async throws {
        let server = try Server()
        var asked = RegisterRequest(userId: "alice")
        asked.activateCode = try await server.add("alice")
        let registered = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        let signature = "\(Route.signature)/\(registered.mpinId.text)?regOTT=\(registered.regOTT)"
        try #require(await server.send("GET", signature).status == 200)
        let hash = hexText(identityHash(registered.mpinId.octets))
        let exchanges = try Exchange.read("25-raw-dta")
        for exchange in exchanges {
            let path = try resigned(exchange, server, hash)
            let response = await server.send("GET", "/dta2" + path)
            expect(Shape(response.status, try? object(response.body)), exchange, "25")
        }
        #expect(exchanges.count == 16)
    }

    /// The recorded request for a live mpinId, with a current time and, if the recorded signature was right,
    /// a right signature.
    private func resigned(_ exchange: Exchange, _ server: Server, _ hash: String) throws -> String {
        var path = exchange.request.path
        if let old = value(of: "hash_mpin_id", in: path), old.utf8.count == 64 {
            path = path.replacing(old, with: hash)
        }
        var expires = value(of: "expires", in: path)?.replacing("%3A", with: ":") ?? ""
        if let end = UnixTime(isoText: expires) {
            let shifted = server.clock.now + (end.seconds - Int64(exchange.t))
            path = path.replacing(expires.replacing(":", with: "%3A"), with: shifted.isoText)
            expires = shifted.isoText
        }
        guard let old = value(of: "signature", in: path), exchange.response.status != 401 else { return path }
        let signed =
            path.hasPrefix("/clientSecret")
            ? "clientSecret" + server.secrets.application.id + hash + expires
            : path.hasPrefix("/serverSecret")
                ? "serverSecret" + server.secrets.application.id + expires : hash
        return path.replacing(old, with: hexText(try hmac(key: secret(server.appKey), [UInt8](signed.utf8))))
    }

    private func compare(_ name: String, _ replay: Replay) async throws {
        var compared = 0
        for exchange in try Exchange.read(name) {
            guard let ours = try await replay.answer(exchange) else { continue }
            compared += 1
            expect(ours, exchange, String(name.prefix(2)))
        }
        #expect(compared > 0)
    }

    private func expect(_ ours: Shape, _ exchange: Exchange, _ transcript: String) {
        let place = "T-\(transcript) \(exchange.seq) \(exchange.request.path.prefix(40))"
        // The RPA had a body of its own; mpind answers with version and message.
        let theirs = Shape(
            exchange.response.status,
            exchange.edge == "rpa" ? ["version": .string(""), "message": .string("")] : exchange.answered)
        let known = Differences.sealed.of(exchange, "\(transcript) \(exchange.seq)")
        #expect(ours == known?.ours ?? theirs, "\(place)")
        #expect(known?.ours != theirs, "\(place) does not differ any more")
    }
}
