// SPDX-License-Identifier: Apache-2.0
// A client that sends recorded requests to mpind, with values of its own in place of random ones.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import TestSupport
import Testing

/// Replays transcripts: values that the recorded server drew are replaced by those that mpind draws.
final class Replay {
    let server: Server
    /// The PIN of the logins; users are enrolled with 1234.
    var pin = "1234"
    /// Recorded texts, and those that replace them.
    private var places: [(recorded: String, ours: String)] = []
    private var firstShares: [String: SignatureResponse] = [:]
    private var people: [String: Enrolled] = [:]
    private var v: [UInt8] = []
    /// The RPA, if the replay has an external one.
    private let application: Application?

    init() throws {
        // The recorded RPA confirmed every user; here the administrator does.
        server = try Server(registration: .confirm)
        application = nil
    }

    /// Replays as recorded, with an external RPA.
    init(_ application: Application, _ change: (inout ExternalRPA) -> Void) throws {
        server = try application.server(change)
        self.application = application
    }

    /// Sets the text that replaces a recorded one; a later call for the same text wins.
    func put(_ recorded: String, _ ours: String) {
        places.removeAll { $0.recorded == recorded }
        places.append((recorded, ours))
    }

    /// The answer of mpind to a recorded request; nil if mpind does not serve it.
    func answer(_ exchange: Exchange) async throws -> Shape? {
        guard let path = path(exchange) else { return nil }
        let who = exchange.asked?["mpin_id"]?.text.flatMap { people[replaced($0)] }
        var body = replaced(exchange.request.body)
        var proof: PassOne?
        if path == Route.passOne, let who {
            let begun = try await who.passOne(pin: pin, permit: who.permit(server))
            body = try text(PassOneRequest(mpinID: who.mpinID, u: begun.u, ut: begun.ut))
            proof = consume begun
        } else if path == Route.passTwo, let who {
            let wid = replaced(exchange.asked?["WID"]?.text ?? "0")
            let isOTP = exchange.answered?["OTP"] != nil
            body = try text(PassTwoRequest(mpinID: who.mpinID, v: v, wid: wid, otp: isOTP))
        }
        let response = try await send(exchange, path, [UInt8](body.utf8))
        let answered = try? object(response.body)
        if response.status == 200, let answered {
            if let begun = proof.take() {
                let y = answered["y"]?.text.flatMap(octets).flatMap { Challenge($0) }
                v = try begun.answer(y: #require(y))
            }
            try await learn(exchange, path, response, answered)
        }
        return Shape(response.status, answered)
    }

    private func send(_ exchange: Exchange, _ path: String, _ body: [UInt8]) async throws -> Response {
        let own = [ExternalRPARoute.user + "/", ExternalRPARoute.authenticate, ExternalRPARoute.loginResult]
        guard application != nil, own.contains(where: path.hasPrefix) else {
            return await server.send(exchange.request.method, path, body)
        }
        return try await server.askAsApplication(path, body, method: exchange.request.method)
    }

    /// D-TA 2 is below /dta2/; D-TA 1 is not a server of its own, and there is no store of permits.
    private func path(_ exchange: Exchange) -> String? {
        let path = replaced(exchange.request.path)
        switch exchange.edge {
        case "rps": return path
        case "rpa": return application == nil ? path : nil
        case "miracl-dta" where path.hasPrefix("/timePermit?"): return "/dta2" + path
        case "miracl-dta" where path.hasPrefix("/clientSecret?"):
            let hash = value(of: "hash_mpin_id", in: path)
            let first = firstShares.first { hexText(identityHash(octets($0.key) ?? [])) == hash }
            return first.map { Route.authorityClientSecret + "?" + $0.value.params }
        default: return nil
        }
    }

    private func learn(
        _ exchange: Exchange, _ path: String, _ response: Response, _ ours: [String: JSON]
    ) async throws {
        for key in ["mpinId", "regOTT", "authOTT", "signature", "storageId", "webOTT", "accessNumber"] {
            guard let old = exchange.answered?[key]?.text, let new = ours[key]?.text, !old.isEmpty,
                path != Route.authenticate
            else { continue }
            put(old, new)
            guard key == "mpinId", let oldID = octets(old), let newID = octets(new) else { continue }
            put(hexText(identityHash(oldID)), hexText(identityHash(newID)))
            guard application == nil else { continue }
            let userID = try #require(try object(newID)["userID"]?.text)
            _ = try await server.administer(
                "POST", AdminRoute.confirmUser,
                UserRequest(userId: userID, idPrefix: identityHash(newID).octets))
        }
        if let old = exchange.answered?["qrUrl"]?.text, let new = ours["qrUrl"]?.text {
            put(String(old.suffix(32)), String(new.suffix(32)))
        }
        if path.hasPrefix(Route.signature) {
            let mpinID = String(path.dropFirst(Route.signature.count + 1).prefix { $0 != "?" })
            firstShares[mpinID] = try read(SignatureResponse.self, response)
        } else if path.hasPrefix(Route.authorityClientSecret) {
            try enrol(
                try read(ClientSecretResponse.self, response), hash: value(of: "hash_mpin_id", in: path))
        }
    }

    private func enrol(_ second: ClientSecretResponse, hash: String?) throws {
        for (hex, first) in firstShares {
            guard let mpinID = octets(hex), hexText(identityHash(mpinID)) == hash else { continue }
            let sum = try clientSecret(
                secret(#require(first.clientSecretShare).octets), secret(#require(second.clientSecret).octets)
            )
            people[hex] = try Enrolled(mpinID: mpinID, clientSecret: sum, pin: "1234")
        }
    }

    func replaced(_ text: String) -> String {
        places.reduce(text) { $0.replacing($1.recorded, with: $1.ours) }
    }

    private func text(_ message: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
    }
}

/// The value of a key in a query.
func value(of key: String, in path: String) -> String? {
    path.split(separator: "?").last?.split(separator: "&").first { $0.hasPrefix(key + "=") }
        .map { String($0.dropFirst(key.count + 1)) }
}
