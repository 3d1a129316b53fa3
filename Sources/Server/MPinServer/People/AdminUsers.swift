// SPDX-License-Identifier: Apache-2.0
// The handlers behind `mpind user`: add, revoke, remove, unlock, confirm, suspend, resume.
import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

struct AdminUsers: Sendable {
    let context: ServiceContext

    /// Adds a user and returns the activation code, of which the database keeps only the hash.
    func add(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(AddUserRequest.self, from: request.body), isUserID(asked.userId) else {
            return Response(400, json: message("A name has 1 to 64 bytes of text"))
        }
        guard asked.blockAfter.map(Compatibility.wrongPINs.contains) ?? true else {
            return Response(400, json: message("--block-after takes a number from 1 to 100"))
        }
        let byQRCode = asked.byQRCode == true
        let code = try OneTimeCode.random(forQRCode: byQRCode)
        let address = byQRCode ? try address(asked, code) : nil
        let event = context.event(
            "user.add", subject: asked.userId, request: request,
            fields: [AuditField("replace", asked.replace ? "yes" : "no")]
                + (byQRCode ? [AuditField("by", "qr")] : [])
                + (asked.blockAfter.map { [AuditField("block-after", String($0))] } ?? []))
        let revoked = try await context.storage.addUser(
            asked.userId,
            code: ActivationCode(
                hash: code.hash(), replaces: asked.replace, isByQRCode: byQRCode,
                blockAfter: asked.blockAfter), recording: event)
        let notes = await context.tellBook(of: revoked)
        let lives = context.settings.lives
        let life = byQRCode ? lives.qrCode : lives.code
        let end = context.effects.now() + life / Limits.second
        let answer = AddUserResponse(
            userId: asked.userId, activationCode: String(decoding: code.shown(), as: UTF8.self),
            expires: Int(end.seconds), address: address)
        return Response(200, json: json(answer), notes: notes)
    }

    /// The address in the QR code that enrols a phone. A stranger may scan it first and must not revoke the
    /// owner's registrations, so `replace` is refused.
    private func address(_ asked: AddUserRequest, _ code: borrowing OneTimeCode) throws -> String {
        guard !asked.replace else {
            let rule =
                "--replace cannot be used with --qr; "
                + "revoke the older registrations when the phone is confirmed"
            throw Refusal(response: Response(400, json: message(rule)))
        }
        guard let page = context.settings.publicURL else {
            let rule = "No phone can reach this server: it has no public-url"
            throw Refusal(response: Response(409, json: message(rule)))
        }
        let letters = String(decoding: code.shown().filter { $0 != 0x2d }, as: UTF8.self)
        return page + "#enrol?user=" + percentEncoded(asked.userId) + "&code=" + letters
    }

    /// Ends an activation code whose enrolment was cancelled, unless it is used up or another one has taken
    /// its place.
    func endCode(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(EndCodeRequest.self, from: request.body),
            let typed = try? unsafe Secret(copying: [UInt8](asked.activationCode.utf8).span.bytes),
            let hash = try? OneTimeCode(typed: typed).hash()
        else { return Response(400, json: message("Give a name and its activation code")) }
        let event = context.event("user.end-code", subject: asked.userId, request: request)
        _ = try await context.storage.endCode(hash, of: asked.userId, recording: event)
        return Response(200, json: json(UserResponse(identities: 0)))
    }

    func revoke(_ request: Request) async throws -> Response {
        let (subject, name) = try subject(request)
        let event = context.event("user.revoke", subject: name, request: request)
        guard let revocation = try await context.storage.revoke(subject, recording: event) else {
            return unknown(subject)
        }
        let notes = await context.tellBook(of: revocation.ids)
        return Response(200, json: json(UserResponse(identities: revocation.count)), notes: notes)
    }

    /// Removes a user with everything that is known of them, except the audit trail.
    func remove(_ request: Request) async throws -> Response {
        guard let userID = (try? decoded(UserRequest.self, from: request.body))?.userId else {
            return Response(400, json: message("Give a name"))
        }
        let event = context.event("user.remove", subject: userID, request: request)
        guard let revocation = try await context.storage.remove(userID, recording: event) else {
            return unknownUser(userID)
        }
        let notes = await context.tellBook(of: revocation.ids)
        return Response(200, json: json(UserResponse(identities: revocation.count)), notes: notes)
    }

    func unlock(_ request: Request) async throws -> Response {
        let (subject, name) = try subject(request)
        let event = context.event("user.unlock", subject: name, request: request)
        switch try await context.storage.unlock(subject, recording: event) {
        case .nobody: return unknown(subject)
        case .revoked:
            let rule = "\(name) is revoked for good; `mpind user add NAME` prints a code for a new enrolment"
            return Response(409, json: message(rule))
        case .open:
            let cure =
                try await isSuspended(subject) ? ", but suspended: `mpind user resume NAME` ends that" : ""
            return Response(409, json: message("\(name) is neither locked nor blocked" + cure))
        case .forgotten: return Response(200, json: json(UserResponse(identities: 1, wasLocked: false)))
        case .unlocked: return Response(200, json: json(UserResponse(identities: 1)))
        }
    }

    private func isSuspended(_ subject: Subject) async throws -> Bool {
        switch subject {
        case .identity(let id): try await context.storage.identity(id: id)?.isSuspended == true
        case .user(let userID): try await context.storage.user(userID)?.suspension != nil
        }
    }

    /// Confirms a registration. The name alone is not enough, because a stranger may have registered under
    /// it; 409 if several ids begin with the given digits.
    func confirm(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(UserRequest.self, from: request.body), let userID = asked.userId,
            let prefix = asked.id?.octets, (4...32).contains(prefix.count)
        else {
            let rule = "Give the name, and 8 or more digits of the id that the person's own device shows"
            return Response(400, json: message(rule))
        }
        let event = context.event(
            "user.confirm", subject: userID, request: request,
            fields: [AuditField("id", hexText([UInt8](prefix.prefix(4))))])
        switch try await context.storage.confirm(userID, idPrefix: prefix, recording: event) {
        case .confirmed: return Response(200, json: json(UserResponse(identities: 1)))
        case .nobody: return unknownUser(userID)
        case .several(let ids):
            let names = ids.map(hexText).joined(separator: ", ")
            return Response(
                409, json: message("Several ids begin with these digits; give more of them: \(names)"))
        }
    }

    /// Suspends a user, from the next try on and on every host; approvals that were not used yet are void.
    func suspend(_ request: Request) async throws -> Response {
        let (asked, until) = try suspension(request)
        var fields: [AuditField] = []
        if let until { fields.append(AuditField("until", UnixTime(seconds: until / Limits.second).isoText)) }
        if let reason = asked.reason { fields.append(AuditField("reason", reason)) }
        let event = context.event("user.suspend", subject: asked.userId, request: request, fields: fields)
        let outcome = try await context.storage.suspend(
            asked.userId, until: until, reason: asked.reason ?? "", recording: event)
        switch outcome {
        case .suspended(let suspension):
            return Response(200, json: json(SuspensionMessage(suspension)))
        case .over: throw AdminUsers.isOver
        case .nobody: return unknownUser(asked.userId)
        case .revoked:
            let told = "\(asked.userId) is revoked for good, and cannot be suspended"
            return Response(409, json: message(told))
        }
    }

    /// The request and the end of the suspension; the end is nil if only `resume` ends it.
    private func suspension(_ request: Request) throws -> (SuspendRequest, UnixMilliseconds?) {
        guard let asked = try? decoded(SuspendRequest.self, from: request.body) else {
            throw Refusal(response: Response(400, json: message("Give a name")))
        }
        guard asked.reason.map(isReason) ?? true else {
            let rule = "A reason is 1 to \(AdminUsers.reasonLimit) bytes of text in one line"
            throw Refusal(response: Response(400, json: message(rule)))
        }
        let now = context.effects.now().seconds
        let end: Int64
        switch (asked.until, asked.seconds) {
        case (nil, nil): return (asked, nil)
        case (let until?, nil): end = Int64(until)
        case (nil, let seconds?): end = now.addingReportingOverflow(Int64(seconds)).partialValue
        case (_?, _?):
            throw Refusal(response: Response(400, json: message("Give an end or a duration, not both")))
        }
        guard end > now, end <= AdminUsers.lastEnd else { throw AdminUsers.isOver }
        return (asked, end * Limits.second)
    }

    private static let reasonLimit = 200
    /// The end of the year 9999.
    private static let lastEnd: Int64 = 253_402_300_799
    private static var isOver: Refusal {
        let rule = "A suspension must end in the future, before the year 10000"
        return Refusal(response: Response(400, json: message(rule)))
    }

    private func isReason(_ text: String) -> Bool {
        (1...AdminUsers.reasonLimit).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy(isPresentable)
    }

    func resume(_ request: Request) async throws -> Response {
        guard let userID = (try? decoded(UserRequest.self, from: request.body))?.userId else {
            return Response(400, json: message("Give a name"))
        }
        let event = context.event("user.resume", subject: userID, request: request)
        switch try await context.storage.resume(userID, recording: event) {
        case nil: return unknownUser(userID)
        case false?: return Response(409, json: message("\(userID) is not suspended"))
        case true?: return Response(200, json: json(UserResponse(identities: 1)))
        }
    }

    /// The registration or the user that a request names, and how messages and the audit trail name it.
    private func subject(_ request: Request) throws -> (Subject, String) {
        let asked = try? decoded(UserRequest.self, from: request.body)
        if let id = asked?.id.flatMap({ IdentityHash($0.octets) }) { return (.identity(id), id8(id)) }
        if let userID = asked?.userId { return (.user(userID), userID) }
        throw Refusal(response: Response(400, json: message("Give a name or an id")))
    }

    private func unknown(_ subject: Subject) -> Response {
        switch subject {
        case .identity(let id):
            return Response(404, json: message("There is no registration with this id: \(id8(id))"))
        case .user(let userID): return unknownUser(userID)
        }
    }

    func unknownUser(_ name: String) -> Response {
        Response(404, json: message("There is no user of that name: \(name)"))
    }
}
