// SPDX-License-Identifier: Apache-2.0
// Somebody who is enrolled, with the client's half of the protocol: permits, the two passes.
import FoundationEssentials
import MPin
import MPinService
import MPinWire
import Secrets
import Testing

final class Enrolled: Sendable {
    let mpinID: [UInt8]
    let id: [UInt8]
    let token: Token

    init(mpinID: [UInt8], clientSecret: consuming Secret, pin: String) throws {
        self.mpinID = mpinID
        self.id = identityHash(mpinID)
        self.token = try Token(clientSecret: clientSecret, mpinID: mpinID, factor: Enrolled.factor(pin))
    }

    private static func factor(_ pin: String) throws -> Secret {
        try PINRule.number(modulus: 10_000).factor(of: secret(pin))
    }

    /// Enrols without a host: as a Milagro client, or bound, as our client on a device of its own.
    static func onDevice(
        _ server: Server, _ userID: String, code: String?, pin: String, bound: Bool = false
    ) async throws -> Enrolled {
        var asked = RegisterRequest(userId: userID, mobile: 1)
        asked.activateCode = code
        asked.bound = bound ? 1 : nil
        let registered = try read(RegisterResponse.self, await server.send("PUT", Route.user, asked))
        let (first, second) = try await shares(server, registered)
        let sum = try clientSecret(
            secret(#require(first.clientSecretShare).octets), secret(#require(second.clientSecret).octets))
        return try Enrolled(mpinID: registered.mpinId.octets, clientSecret: sum, pin: pin)
    }

    /// Both permit shares, added.
    func permit(_ server: Server) async throws -> (date: UInt32, octets: [UInt8]) {
        let first = try read(
            TimePermitResponse.self, await server.send("GET", "\(Route.timePermit)/\(HexOctets(mpinID).text)")
        )
        let query = "hash_mpin_id=\(first.storageId)&app_id=x&mobile=1&signature=\(first.signature)"
        let second = try read(
            DTATimePermitResponse.self, await server.send("GET", "\(Route.authorityTimePermit)?\(query)"))
        return (first.date, try timePermit(first.timePermit.octets, second.timePermit.octets))
    }

    func passOne(
        pin: String, permit: (date: UInt32, octets: [UInt8])?
    ) throws -> PassOne {
        try PassOne(mpinID: mpinID, token: token, factor: Enrolled.factor(pin), permit: permit)
    }

    /// From the permit to the answer of pass 2; with a host's question y is computed again and compared.
    func prove(
        _ server: Server, pin: String, ask: Ask? = nil, tag: [UInt8]? = nil, wid: String = "0",
        otp: Bool = false, permit given: (date: UInt32, octets: [UInt8])? = nil, client: String? = nil,
        peer: Peer = Server.address
    ) async throws -> PassTwoResponse {
        let permit = if let given { given } else { try await permit(server) }
        let proof = try passOne(pin: pin, permit: permit)
        var first = PassOneRequest(mpinID: mpinID, u: proof.u, ut: proof.ut)
        first.ask = ask.map { HexOctets($0.octets) }
        first.askTag = tag.map { HexOctets($0) }
        let begun = try read(
            PassOneResponse.self, await server.send("POST", Route.passOne, first, peer: peer))
        if let ask {
            let n = try #require(begun.n).octets
            #expect(
                try begun.y.octets
                    == challenge(n: n, id: id, u: first.u.octets, ut: first.ut.octets, purpose: ask.a))
        }
        let v = try proof.answer(y: begun.y.octets)
        return try read(
            PassTwoResponse.self,
            await server.send(
                "POST", Route.passTwo,
                PassTwoRequest(mpinID: mpinID, v: v, wid: wid, otp: otp, n: begun.n?.octets), client: client,
                peer: peer))
    }

    /// A login whose verdict is the status alone.
    func login(_ server: Server, pin: String, peer: Peer = Server.address) async throws -> Int {
        let proof = try await prove(server, pin: pin, peer: peer)
        return try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof), peer: peer
        ).status
    }
}
