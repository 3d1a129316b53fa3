// SPDX-License-Identifier: Apache-2.0
// An enrolled user, with the client's half of the protocol: permits, the two passes.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import Secrets
import Testing

final class Enrolled: Sendable {
    let mpinID: [UInt8]
    let id: IdentityHash
    let token: Token
    /// The key of a device that our client enrolled.
    private let deviceKey: DeviceKey?

    init(
        mpinID: [UInt8], clientSecret: consuming Secret, pin: String, deviceKey: consuming DeviceKey? = nil
    ) throws {
        self.mpinID = mpinID
        self.deviceKey = deviceKey
        self.id = identityHash(mpinID)
        self.token = try Token(clientSecret: clientSecret, mpinID: mpinID, factor: Enrolled.factor(pin))
    }

    private static func factor(_ pin: String) throws -> Secret {
        try PINRule.number(modulus: 10_000).factor(of: secret(pin))
    }

    /// Enrols without a host: as a Milagro client or, if `bound`, as our client on a device.
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
        guard let octets = first.deviceKey?.octets else {
            return try Enrolled(mpinID: registered.mpinId.octets, clientSecret: sum, pin: pin)
        }
        return try Enrolled(
            mpinID: registered.mpinId.octets, clientSecret: sum, pin: pin,
            deviceKey: DeviceKey(secret(octets)))
    }

    /// The token without its device key, as a thief has it: tags are left out.
    var stolen: Enrolled {
        get throws { try Enrolled(mpinID: mpinID, token: Token(secret(revealed(token.octets)))) }
    }

    /// The device with the key of a newer epoch, which was sealed under its present key.
    func renewed(_ octets: [UInt8], tag: [UInt8]) throws -> Enrolled {
        let token = try Token(secret(revealed(token.octets)))
        switch deviceKey {
        case .none: return Enrolled(mpinID: mpinID, token: token)
        case .some(let key):
            switch key.open(newer: octets, tag: tag, for: id) {
            case .none: throw SealFailure.malformed
            case .some(let newer): return Enrolled(mpinID: mpinID, token: token, deviceKey: newer)
            }
        }
    }

    private init(mpinID: [UInt8], token: consuming Token, deviceKey: consuming DeviceKey? = nil) {
        self.mpinID = mpinID
        self.id = identityHash(mpinID)
        self.token = token
        self.deviceKey = deviceKey
    }

    /// Puts the device's tag into a pass 1.
    func tag(_ pass: inout PassOneRequest) throws {
        let tagged = DevicePass(
            id: id, u: pass.u.octets, ut: pass.ut.octets, seen: pass.seen?.octets ?? [])
        switch deviceKey {
        case .none: break
        case .some(let key): pass.deviceTag = HexOctets(try key.tag(of: tagged))
        }
    }

    /// Puts the device's id and tag into a look-up.
    func tag(_ look: inout CodeStatusRequest) throws {
        let tagged = DevicePass(id: id, status: [UInt8](look.status.utf8), wid: [UInt8](look.wid.utf8))
        switch deviceKey {
        case .none: break
        case .some(let key): (look.id, look.deviceTag) = (id, HexOctets(try key.tag(of: tagged)))
        }
    }

    /// The question what waits at this time; without a device key its tag is empty.
    func question(waitingAt time: UInt64) throws -> WaitingRequest {
        let tag =
            switch deviceKey {
            case .none: [UInt8]()
            case .some(let key): try key.tag(of: DevicePass(id: id, waitingAt: time))
            }
        return WaitingRequest(time: time, by: DeviceTag(id: id, tag: tag))
    }

    /// Puts the device's tag into a pass 2.
    func tag(_ pass: inout PassTwoRequest, to begun: PassOneResponse) throws {
        switch deviceKey {
        case .none: break
        case .some(let key):
            let tagged = DevicePass(
                id: id, n: try #require(pass.n), y: begun.y, v: pass.v.octets, wid: [UInt8](pass.wid.utf8),
                wantsOTP: pass.otp.isOn)
            pass.deviceTag = HexOctets(try key.tag(of: tagged))
        }
    }

    /// The notice that comes with a login of this device, if its tag is right.
    func notice(_ answer: AuthenticateResponse, to proof: PassTwoResponse) throws -> TriesNotice? {
        guard let notice = answer.notice?.octets, let tag = answer.noticeTag?.octets else { return nil }
        switch deviceKey {
        case .none: return nil
        case .some(let key):
            return key.open(notice: notice, tag: tag, for: id, ticket: [UInt8](proof.authOTT.utf8))
        }
    }

    /// Fetches both permit shares, and adds them.
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

    /// Runs a proof from the permit to the answer of pass 2; with a host's question it computes y again.
    func prove(
        _ server: Server, pin: String, question: SealedQuestion? = nil, tag: [UInt8]? = nil,
        wid: String = "0",
        otp: Bool = false, permit given: (date: UInt32, octets: [UInt8])? = nil, client: String? = nil,
        peer: Peer = Server.address
    ) async throws -> PassTwoResponse {
        let permit = if let given { given } else { try await permit(server) }
        let proof = try passOne(pin: pin, permit: permit)
        var first = PassOneRequest(mpinID: mpinID, u: proof.u, ut: proof.ut)
        first.ask = question.map { HexOctets($0.octets) }
        first.askTag = tag.map { HexOctets($0) }
        try self.tag(&first)
        let begun = try read(
            PassOneResponse.self, await server.send("POST", Route.passOne, first, peer: peer))
        if let question {
            let n = try #require(begun.n)
            #expect(
                try begun.y
                    == challenge(
                        n: n, id: id, u: first.u.octets, ut: first.ut.octets,
                        purpose: PurposeHash(question.a)))
        }
        let v = try proof.answer(y: begun.y)
        var second = PassTwoRequest(mpinID: mpinID, v: v, wid: wid, otp: otp, n: begun.n)
        try self.tag(&second, to: begun)
        return try read(
            PassTwoResponse.self,
            await server.send("POST", Route.passTwo, second, client: client, peer: peer))
    }

    /// Logs in without a host, and returns the status.
    func login(_ server: Server, pin: String, peer: Peer = Server.address) async throws -> Int {
        let proof = try await prove(server, pin: pin, peer: peer)
        return try await server.send(
            "POST", Route.authenticate, AuthenticateRequest(mpinResponse: proof), peer: peer
        ).status
    }
}
