// SPDX-License-Identifier: Apache-2.0
// Requests recorded for a browser's session, sent for a console's: answered at once, and never with 408.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct SessionTranscriptTests {
    @Test(arguments: [("05-access-number", 3), ("12-native-qr", 6)])
    func `the requests of an unmodified client approve a console's session`(
        _ name: String, _ count: Int
    ) async throws {
        let house = try await House()
        let phone = try await House.device(house.server, "phone", bound: false)
        let console = try await house.host.open(
            house.server, ids: [phone.id], flags: SealedQuestion.acceptsUnseen)
        let replay = try Phone(house.server, phone, console)
        var compared = 0
        for exchange in try Exchange.read(name) where exchange.edge == "rps" {
            guard let response = try await replay.answer(exchange) else { continue }
            #expect(response.status == exchange.response.status, "\(name) \(exchange.seq)")
            let ours = try keys(response)
            for key in try #require(exchange.answered).keys {
                #expect(ours.contains(key), "\(name) \(exchange.seq) \(key)")
            }
            compared += 1
        }
        #expect(compared == count)
        #expect(try await console.settle(house.server).verdict.verdict == .granted)
        // The device's logout, with the data that it was given, in the form in which it sends them.
        let recorded = "{\n\t\"userId\" : \"phone\",\n\t\"sessionToken\" : \"\(replay.token)\"\n}"
        #expect(await house.server.send("POST", Route.logout, [UInt8](recorded.utf8)).status == 200)
    }
}

/// A recorded device that uses a token of ours.
private final class Phone {
    private let server: Server
    private let phone: Enrolled
    private let console: Console
    private var places: [(recorded: String, ours: String)] = []
    private var v: [UInt8] = []
    private(set) var token = ""

    init(_ server: Server, _ phone: Enrolled, _ console: Console) throws {
        (self.server, self.phone, self.console) = (server, phone, console)
    }

    /// The answer to a request that concerns the session; nil for any other request.
    func answer(_ exchange: Exchange) async throws -> Response? {
        guard let asked = exchange.asked else { return nil }
        switch exchange.request.path {
        case Route.passOne: return try await begin(exchange, asked)
        case Route.passTwo, Route.codeStatus, Route.mobileAuthenticate: break
        default: return nil
        }
        put("mpin_id", HexOctets(phone.mpinID).text, asked)
        put("V", HexOctets(v).text, asked)
        put("userId", "phone", asked)
        for key in ["wid", "WID"] where asked[key]?.text != "00000000" {
            put(key, asked[key]?.text?.utf8.count == 7 ? console.number : console.wid, asked)
        }
        let response = await send(exchange)
        let answered = try object(response.body)
        if let old = exchange.answered?["authOTT"]?.text, let new = answered["authOTT"]?.text {
            places.append((old, new))
        }
        if exchange.request.path == Route.mobileAuthenticate {
            let data = try read(AuthenticateResponse.self, response).logoutData
            token = try #require(LogoutData(data)).sessionToken
        }
        return response
    }

    private func begin(_ exchange: Exchange, _ asked: [String: JSON]) async throws -> Response {
        let proof = try phone.passOne(pin: "1234", permit: await phone.permit(server))
        put("mpin_id", HexOctets(phone.mpinID).text, asked)
        put("UT", HexOctets(proof.ut).text, asked)
        put("U", HexOctets(proof.u).text, asked)
        let response = await send(exchange)
        v = try proof.answer(y: read(PassOneResponse.self, response).y)
        return response
    }

    private func put(_ key: String, _ ours: String, _ asked: [String: JSON]) {
        if let recorded = asked[key]?.text { places.append((recorded, ours)) }
    }

    private func send(_ exchange: Exchange) async -> Response {
        let body = places.reduce(exchange.request.body) { $0.replacing($1.recorded, with: $1.ours) }
        return await server.send(exchange.request.method, exchange.request.path, [UInt8](body.utf8))
    }
}
