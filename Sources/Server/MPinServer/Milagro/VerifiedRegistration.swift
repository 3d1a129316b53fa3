// SPDX-License-Identifier: Apache-2.0
// PUT user if an external RPA decides who may register.
import MPin
import MPinDatabase
import MPinWire

struct VerifiedRegistration: Sendable {
    let context: ServiceContext
    let application: ExternalRPA
    let verifyURL: String
    let kind: IdentityKind

    /// A requested registration. One that is started again keeps its mpinId and its regOTT.
    struct Wish {
        let mpinID: [UInt8]
        let regOTT: String
        let kind: IdentityKind
        let isRepeated: Bool
    }

    /// The RPA's decision. `refused` has the RPA's status, or 500 if its answer cannot be understood.
    private enum RPADecision {
        case accepted(active: Bool)
        case refused(Response)
    }

    /// Whether the RPA is to be asked about a registration.
    private enum Keeping {
        case stored
        /// It was told often enough, or just now: the answer is what it said so far.
        case told(isActive: Bool)
        /// For a user whom an administrator revoked: the answer is that of a registration which is never
        /// confirmed.
        case refused
    }

    /// - Parameter pending: the mpinId of a registration that is started again, if its regOTT is sent too.
    func register(_ asked: RegisterRequest, _ request: Request, pending: [UInt8]?) async throws -> Response {
        let wish = try await wish(asked, pending)
        let id = identityHash(wish.mpinID)
        var notes = [LogField("id", id8(id))]
        let key = try context.secrets.application.signature(hexText(wish.mpinID) + wish.regOTT)
        var active = false
        // The RPA may send a mail to the named user, so the limits come first.
        switch try await store(asked, wish: wish, key: key, request: request) {
        case .refused: notes.append(LogField("refused", "storage"))
        case .told(let isActive):
            active = isActive
            notes.append(LogField("rpa", "spared"))
        case .stored:
            switch try await ask(asked, request: request, wish: wish, key: key) {
            case .refused(let response):
                if !wish.isRepeated { try await context.storage.forgetRegistration(id: id) }
                return response
            case .accepted(active: false): break
            case .accepted(active: true):
                active = try await context.storage.activate(
                    id: id, activateKeyHash: ActivateKeyHash(of: key))
            }
        }
        let now = context.effects.now()
        let answer = RegisterResponse(
            mpinId: wish.mpinID, regOTT: wish.regOTT, active: active, bound: wish.kind == .bound,
            expireTime: (now + context.settings.lives.registration / Limits.second).preciseText,
            nowTime: now.preciseText)
        return Response(
            200, json: json(answer), notes: notes + [LogField("active", active ? "yes" : "no")]
        ).proven(active)
    }

    private func wish(_ asked: RegisterRequest, _ pending: [UInt8]?) async throws -> Wish {
        if let pending, let regOTT = asked.regOTT {
            let record = try await context.storage.registration(
                id: identityHash(pending), regOTTHash: RegistrationTicketHash(of: regOTT))
            if let record, areSame(record.description.userID, asked.userId) {
                return Wish(
                    mpinID: pending, regOTT: regOTT, kind: record.description.kind, isRepeated: true)
            }
        }
        let mpinID = try context.newMPinID(userID: asked.userId, mobile: asked.mobile?.value == 1)
        return Wish(mpinID: mpinID, regOTT: try context.randomText(16), kind: kind, isRepeated: false)
    }

    private func ask(
        _ asked: RegisterRequest, request: Request, wish: Wish, key: String
    ) async throws -> RPADecision {
        let message = VerifyRequest(
            userId: asked.userId, mpinId: wish.mpinID, mobile: asked.mobile?.value == 1 ? 1 : 0,
            activateKey: key,
            expireTime: (context.effects.now() + context.settings.lives.registration / Limits.second).isoText,
            resend: wish.isRepeated, deviceName: asked.deviceName ?? "",
            userData: asked.userData ?? .text(""))
        let base = context.settings.publicURL ?? "http://" + (request.host ?? RequestPolicy.localName)
        let response = await context.outgoing(
            OutgoingRequest(
                .registration, url: verifyURL,
                headers: ["Content-Type: application/json", "\(HeaderName.baseURL): \(base)"]
                    + application.forwarded(request.headers), body: json(message)))
        let notes = [LogField("rpa", response.map { String($0.status) } ?? "silent")]
        guard let response, (200...499).contains(response.status) else {
            return .refused(Response(500, notes: notes))
        }
        guard response.status == 200 else {
            return .refused(Response(response.status >= 400 ? response.status : 500, notes: notes))
        }
        if response.body.isEmpty { return .accepted(active: false) }
        guard let answer = try? decoded(VerifyResponse.self, from: response.body) else {
            return .refused(Response(500, notes: notes))
        }
        return .accepted(active: answer.forceActivate?.isOn ?? false)
    }

    /// Stores or renews the registration. 429 if too many wait.
    private func store(
        _ asked: RegisterRequest, wish: Wish, key: String, request: Request
    ) async throws -> Keeping {
        let regOTTHash = RegistrationTicketHash(of: wish.regOTT)
        let id = identityHash(wish.mpinID)
        guard !wish.isRepeated else {
            let renewed = try await context.storage.renewRegistration(id: id, regOTTHash: regOTTHash)
            guard let renewed, renewed.awaitsExternalRPA else { return .refused }
            return try await context.storage.takeResend(id: id, regOTTHash: regOTTHash)
                ? .stored : .told(isActive: renewed.active)
        }
        let registration = RegistrationRequest(
            description: context.description(of: wish.mpinID, kind: wish.kind, for: asked),
            regOTTHash: regOTTHash,
            requester: Requester(request.peer),
            blockAfter: context.settings.compatibility?.maxInvalidLogins)
        let outcome = try await context.storage.register(
            registration, by: .externalRPA(activateKeyHash: ActivateKeyHash(of: key)))
        if case .full(let seconds) = outcome { throw Refusal(response: noPlace(seconds)) }
        return outcome == .refused ? .refused : .stored
    }
}
