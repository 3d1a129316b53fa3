// SPDX-License-Identifier: Apache-2.0
// PUT user if an external RPA decides who may register.
import MPin
import MPinDatabase
import MPinWire

struct VerifiedRegistration: Sendable {
    private let asked: RegisterRequest
    private let context: ServiceContext
    private let externalRPA: ExternalRPA
    private let verifyURL: String
    private let kind: IdentityKind

    /// nil if the external RPA does not decide. It decides about devices, except if our own client has an
    /// activation code: an administrator of this server may have made it.
    init?(_ asked: RegisterRequest, in context: ServiceContext) {
        guard let externalRPA = context.settings.compatibility?.externalRPA,
            let verifyURL = externalRPA.verifyURL, asked.ask == nil
        else { return nil }
        kind = asked.bound?.value == 1 ? .bound : .unbound
        guard kind == .unbound || asked.activateCode == nil else { return nil }
        (self.asked, self.context) = (asked, context)
        (self.externalRPA, self.verifyURL) = (externalRPA, verifyURL)
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
    func register(_ request: Request, pending: [UInt8]?) async throws -> Response {
        let renewed = try await renewed(pending)
        var waiting = try renewed ?? context.newRegistration(asked, kind: kind)
        let isRepeated = renewed != nil
        let id = identityHash(waiting.mpinID)
        let key = try context.secrets.application.signature(hexText(waiting.mpinID) + waiting.regOTT)
        var notes: [LogField] = []
        // The RPA may send a mail to the named user, so the limits come first.
        switch try await store(waiting, isRepeated: isRepeated, key: key, request: request) {
        case .refused: notes.append(LogField("refused", "storage"))
        case .told(let isActive):
            waiting.active = isActive
            notes.append(LogField("rpa", "spared"))
        case .stored:
            switch try await decision(on: waiting, isRepeated: isRepeated, key: key, request: request) {
            case .refused(let response):
                if !isRepeated { try await context.storage.forgetRegistration(id: id) }
                return response
            case .accepted(active: false): break
            case .accepted(active: true):
                waiting.active = try await context.storage.activate(
                    id: id, activateKeyHash: ActivateKeyHash(of: key))
            }
        }
        return context.answer(waiting, notes: notes)
    }

    /// The registration that is started again, which keeps its mpinId and its regOTT; nil if there is none.
    private func renewed(_ pending: [UInt8]?) async throws -> Registration.WaitingRegistration? {
        guard let pending, let regOTT = asked.regOTT else { return nil }
        let record = try await context.storage.registration(
            id: identityHash(pending), regOTTHash: RegistrationTicketHash(of: regOTT))
        guard let record, areSame(record.description.userID, asked.userId) else { return nil }
        return Registration.WaitingRegistration(
            mpinID: pending, regOTT: regOTT, kind: record.description.kind)
    }

    private func decision(
        on waiting: Registration.WaitingRegistration, isRepeated: Bool, key: String, request: Request
    ) async throws -> RPADecision {
        let message = VerifyRequest(
            userId: asked.userId, mpinId: waiting.mpinID, mobile: asked.mobile?.value == 1 ? 1 : 0,
            activateKey: key,
            expireTime: (context.effects.now() + context.settings.lives.registration / Limits.second).isoText,
            resend: isRepeated, deviceName: asked.deviceName ?? "",
            userData: asked.userData ?? .text(""))
        let base = context.settings.publicURL ?? "http://" + (request.host ?? RequestPolicy.localName)
        let response = await context.outgoing(
            OutgoingRequest(
                .registration, url: verifyURL,
                headers: ["Content-Type: application/json", "\(HeaderName.baseURL): \(base)"]
                    + externalRPA.forwarded(request.headers), body: json(message)))
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
        _ waiting: Registration.WaitingRegistration, isRepeated: Bool, key: String, request: Request
    ) async throws -> Keeping {
        let regOTTHash = RegistrationTicketHash(of: waiting.regOTT)
        let id = identityHash(waiting.mpinID)
        guard !isRepeated else {
            let renewed = try await context.storage.renewRegistration(id: id, regOTTHash: regOTTHash)
            guard let renewed, renewed.awaitsExternalRPA else { return .refused }
            return try await context.storage.takeResend(id: id, regOTTHash: regOTTHash)
                ? .stored : .told(isActive: renewed.active)
        }
        let registration = RegistrationRequest(
            description: context.description(of: waiting.mpinID, kind: waiting.kind, for: asked),
            regOTTHash: regOTTHash,
            requester: Requester(request.peer),
            blockAfter: context.settings.compatibility?.maxInvalidLogins)
        let outcome = try await context.storage.register(
            registration, by: .externalRPA(activateKeyHash: ActivateKeyHash(of: key)))
        if case .full(let seconds) = outcome { throw Refusal(response: noPlace(seconds)) }
        return outcome == .refused ? .refused : .stored
    }
}
