// SPDX-License-Identifier: Apache-2.0
// PUT user: who may register, and the mpinId that is made for them.
import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

/// Every request gets the same answer. A registration is stored only with a right code, or if registrations
/// wait for confirmation.
struct Registration: Sendable {
    let context: ServiceContext

    /// The most octets of a userID. They keep an mpinId below the 500 octets that a user's file can hold.
    static let userIDLimit = 64

    /// A registration in progress, and what its client must send again.
    struct WaitingRegistration {
        let mpinID: [UInt8]
        let regOTT: String
        let kind: IdentityKind
        var active = false
    }

    /// The request in the body; 400 if there is none.
    static func asked(_ request: Request) throws -> RegisterRequest {
        guard let asked = try? decoded(RegisterRequest.self, from: request.body), isUserID(asked.userId)
        else { throw Refusal(response: Response(400)) }
        return asked
    }

    /// - Parameter pending: the mpinId of a registration that is started again.
    func register(_ asked: RegisterRequest, _ request: Request, pending: [UInt8]?) async throws -> Response {
        let (kind, origin) = try await kind(of: asked)
        if let pending, let again = try await renewed(pending, asked) { return context.answer(again) }
        return context.answer(try await stored(asked, kind: kind, request: request, origin: origin))
    }

    /// What the mpinId will be valid for and, at a host, the source from which the user enrols. A sealed
    /// question must be one that asks to enrol.
    private func kind(of asked: RegisterRequest) async throws -> (IdentityKind, TryOrigin?) {
        guard let sealed = asked.ask else { return (asked.bound?.value == 1 ? .bound : .unbound, nil) }
        let question = try await context.question(sealed, asked.askTag, for: SealedQuestion.enrollService)
        guard question.sealed.service == SealedQuestion.enrollService, question.sealed.ids.isEmpty,
            asked.bound?.value != 1
        else {
            throw Refusal(response: Response(400, json: message("Not a valid request to enrol")))
        }
        let enrolment = HostEnrolment(host: question.host, epoch: question.epoch, a: question.sealed.a)
        return (.host(enrolment), question.namesSource ? question.origin : nil)
    }

    /// The registration that is started again; nil if a new one must be made.
    private func renewed(_ mpinID: [UInt8], _ asked: RegisterRequest) async throws -> WaitingRegistration? {
        guard let regOTT = asked.regOTT else { return nil }
        let record = try await context.storage.renewRegistration(
            id: identityHash(mpinID), regOTTHash: RegistrationTicketHash(of: regOTT))
        guard let record, areSame(record.description.userID, asked.userId) else { return nil }
        // A user who has got a code since then need not wait any longer.
        guard record.active || asked.activateCode == nil else { return nil }
        return WaitingRegistration(
            mpinID: mpinID, regOTT: regOTT, kind: record.description.kind, active: record.active)
    }

    /// A new registration, which is stored if something authorises it.
    private func stored(
        _ asked: RegisterRequest, kind: IdentityKind, request: Request, origin: TryOrigin?
    ) async throws -> WaitingRegistration {
        var made = try context.newRegistration(asked, kind: kind)
        guard let authorization = try authorization(for: asked, kind: kind, request: request) else {
            return made
        }
        let description = context.description(of: made.mpinID, kind: kind, for: asked)
        let registration = RegistrationRequest(
            description: description, regOTTHash: RegistrationTicketHash(of: made.regOTT),
            requester: Requester(request.peer), origin: origin,
            blockAfter: kind == .unbound ? context.settings.compatibility?.maxInvalidLogins : nil)
        let outcome = try await context.storage.register(registration, by: authorization)
        if case .full(let seconds) = outcome { throw Refusal(response: noPlace(seconds)) }
        made.active = outcome == .active
        if case .login = authorization, made.active {
            try await context.storage.append(changed(description, from: request.peer.source))
        }
        return made
    }

    /// What authorises a registration; nil if nothing does. Text that does not have the form of a code does
    /// not count as a try. A changed PIN is authorised by a login at the same host for the same account; a
    /// device has no sealed question that would prove this, and needs a code (T 3).
    private func authorization(
        for asked: RegisterRequest, kind: IdentityKind, request: Request
    ) throws -> Authorization? {
        if let authOTT = asked.authOTT {
            switch kind {
            case .host:
                guard let question = asked.ask.flatMap({ SealedQuestion(decoding: $0.octets) }) else {
                    return nil
                }
                return .login(authOTTHash: TicketHash(of: authOTT), account: question.account)
            case .bound, .unbound: return nil
            }
        }
        if let hash = try asked.activateCode.flatMap(codeHash) {
            return .code(hash: hash, request.codeTry("activation", asked.userId))
        }
        switch context.settings.registration {
        case .code: return nil
        case .confirm: return .confirmation
        }
    }

    private func changed(_ description: IdentityDescription, from source: String) -> AuditEvent {
        AuditEvent(
            kind: "pin.change", subject: id8(description.id), host: description.hostName ?? "",
            source: source, fields: [AuditField("user", description.userID)])
    }

    private func codeHash(_ typed: String) throws -> OneTimeCodeHash? {
        let typed = try unsafe Secret(copying: [UInt8](typed.utf8).span.bytes)
        do {
            return try OneTimeCode(typed: typed).hash()
        } catch SealFailure.malformed { return nil }
    }
}

extension ServiceContext {
    /// A registration with a new mpinId: the JSON text that is the cryptographic identity, with the keys in
    /// the order of Milagro's issuer.
    func newRegistration(
        _ asked: RegisterRequest, kind: IdentityKind
    ) throws -> Registration.WaitingRegistration {
        let text =
            "{\"mobile\": \(asked.mobile?.value == 1 ? 1 : 0), \"issued\": \"\(effects.now().issuedText)\", "
            + "\"userID\": \(jsonString(asked.userId)), \"salt\": \"\(try randomText(16))\"}"
        return Registration.WaitingRegistration(
            mpinID: [UInt8](text.utf8), regOTT: try randomText(16), kind: kind)
    }

    /// The answer to a registration.
    ///
    /// - Parameter notes: more fields for the log.
    func answer(_ waiting: Registration.WaitingRegistration, notes: [LogField] = []) -> Response {
        let now = effects.now()
        let answer = RegisterResponse(
            mpinId: waiting.mpinID, regOTT: waiting.regOTT, active: waiting.active,
            bound: waiting.kind == .bound,
            expireTime: (now + settings.lives.registration / Limits.second).preciseText,
            nowTime: now.preciseText)
        return Response(
            200, json: json(answer),
            notes: [LogField("id", id8(identityHash(waiting.mpinID)))] + notes
                + [LogField("active", waiting.active ? "yes" : "no")]
        ).proven(waiting.active)
    }

    /// What is stored of a registration. Texts that describe the client and its user are shortened for
    /// display.
    func description(of mpinID: [UInt8], kind: IdentityKind, for asked: RegisterRequest)
        -> IdentityDescription
    {
        let userData: String =
            switch asked.userData {
            case .text(let text): text
            case .some(let value) where value != .null: String(decoding: json(value), as: UTF8.self)
            default: ""
            }
        return IdentityDescription(
            id: identityHash(mpinID), mpinID: mpinID, userID: asked.userId, kind: kind, suite: "BN254CX",
            epoch: authority.epoch, deviceName: presentable(asked.deviceName ?? "", limit: 64),
            userData: presentable(userData, limit: 256))
    }
}

/// The answer if the most registrations that are allowed wait already. They are counted by source, by
/// network and in all, so the answer reveals nothing about any userID.
func noPlace(_ seconds: Int64) -> Response {
    Response(
        429, json: message("Too many registrations wait to be confirmed"),
        notes: [LogField("refused", "full")]
    ).retrying(after: seconds)
}

/// Whether `text` may be a userID: 1 to 64 octets of readable text, without control characters, direction
/// marks and invisible characters.
package func isUserID(_ text: String) -> Bool {
    (1...Registration.userIDLimit).contains(text.utf8.count)
        && text.unicodeScalars.allSatisfy(isPresentable)
}
