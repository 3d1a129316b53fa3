// SPDX-License-Identifier: Apache-2.0
// Turns replies to HTTP requests into answers to questions.
import MPinProof
import MPinWire
import Octets

enum Responses {
    static func answer(_ reply: Reply, to request: DeviceRequest) -> DeviceResponse {
        guard reply.status == 200 else {
            return DeviceResponse(status: reply.status, word: DeviceWord(reply))
        }
        switch request {
        case .look:
            guard let seen = reply.octets("seen") else {
                return DeviceResponse(status: 200, body: .look(seen: [], attempt: []))
            }
            let attempt = reply.octets("attempt") ?? []
            guard attempt.isEmpty || attempt.count == 8 else { break }
            return DeviceResponse(status: 200, body: .look(seen: seen, attempt: attempt))
        case .choose: return DeviceResponse(status: 200, body: .chosen)
        case .approve:
            return DeviceResponse(
                status: 200, body: .approved(code: reply["code"] ?? []), word: DeviceWord(reply))
        case .redeem, .logOut, .authorize, .service: break
        }
        return DeviceResponse(status: RelayResponse.notUnderstood)
    }

    /// Whether a question needs a second request after this reply to the first.
    static func takesTwo(_ request: RelayRequest, _ reply: Reply) -> Bool {
        guard reply.status == 200 else { return false }
        switch request {
        case .permits, .clientSecret: return true
        default: return false
        }
    }

    /// - Parameter first: the reply to the first request, for a question that takes two.
    static func answer(_ reply: Reply, to request: RelayRequest, first: Reply?) -> RelayResponse {
        guard reply.status == 200 else {
            let seconds = reply.number("retryAfter", in: 0...Int(Int32.max)) ?? 0
            return RelayResponse(
                kind: request.kind, status: reply.status, retryAfter: UInt32(truncatingIfNeeded: seconds))
        }
        guard let body = body(reply, to: request, first: first) else {
            return RelayResponse(kind: request.kind, status: RelayResponse.notUnderstood)
        }
        return RelayResponse(kind: request.kind, status: 200, body: body)
    }

    private static func body(_ reply: Reply, to request: RelayRequest, first: Reply?) -> RelayResponse.Body? {
        switch request {
        case .settings: .settings(usesPermits: reply.flag("usePermits") ?? true, pins: demand(reply))
        case .permits: first.flatMap { permits($0, reply) }.map { .permits($0) }
        case .passOne:
            challenge(reply).map { .passOne($0) }
        case .passTwo:
            reply.ticket("authOTT").map { .passTwo(RelayPassTwoResponse(authOTT: $0, otp: [])) }
        case .authenticate: .authenticate(.none)
        case .register: registered(reply).map { .register($0) }
        case .clientSecret: first.flatMap { shares($0, reply) }.map { .clientSecret($0) }
        default: nil
        }
    }

    /// A nonce without octets is none.
    private static func challenge(_ reply: Reply) -> RelayPassOneResponse? {
        let told = reply.octets("n") ?? []
        guard let y = reply.octets("y").flatMap({ Challenge($0) }) else { return nil }
        if told.isEmpty { return RelayPassOneResponse(y: y, n: nil) }
        return ServerNonce(told).map { RelayPassOneResponse(y: y, n: $0) }
    }

    /// Missing or invalid members demand nothing.
    private static func demand(_ reply: Reply) -> PINDemand {
        PINDemand(
            length: reply.number("pinLength", in: 0...65_535) ?? PINDemand.none.length,
            refusesDates: reply["pinKinds"]?.spells(PINDemand.noDates) == true)
    }

    private static func permits(_ ours: Reply, _ theirs: Reply) -> PermitShares? {
        guard let date = ours["date"].flatMap({ wholeNumber($0, in: 0...UInt32.max) }),
            let share1 = ours.octets("timePermit"), let share2 = theirs.octets("timePermit")
        else { return nil }
        return PermitShares(date: date, share1: share1, share2: share2)
    }

    private static func registered(_ reply: Reply) -> RelayRegisterResponse? {
        guard let mpinID = reply.octets("mpinId"), (1...Bound.mpinID).contains(mpinID.count),
            let regOTT = reply.ticket("regOTT"), let active = reply.flag("active")
        else { return nil }
        return RelayRegisterResponse(
            mpinID: mpinID, regOTT: regOTT, active: active, isBound: reply.flag("bound") ?? false)
    }

    private static func shares(_ ours: Reply, _ theirs: Reply) -> ClientSecretShares? {
        guard let share1 = ours.octets("clientSecretShare"), let share2 = theirs.octets("clientSecret")
        else { return nil }
        return ClientSecretShares(
            share1: share1, share2: share2, deviceKey: ours.octets("deviceKey") ?? [])
    }
}

extension DeviceWord {
    fileprivate init(_ reply: Reply) {
        self.init()
        triesLeft = reply.number("triesLeft", in: 0...65_535)
        retryAfter = reply.number("retryAfter", in: 1...Int(Int32.max))
        isRevoked = reply.flag("revoked") ?? false
        notice = reply.octets("notice") ?? []
        noticeTag = reply.octets("noticeTag") ?? []
        deviceKey = reply.octets("deviceKey") ?? []
        deviceKeyTag = reply.octets("deviceKeyTag") ?? []
    }
}
