// SPDX-License-Identifier: Apache-2.0
// POST mpinAuthenticate from a host that binds a phone: which identity approved, and the host's confirmation
// that the approval code was right (seal-devices.md, section 15).
import MPin
import MPinDatabase
import MPinWire
import Octets

struct PhoneBinding: Sendable {
    let context: ServiceContext

    /// Which identity approved; answered once. The host has the approval code already and checks whether it
    /// is this identity's, so nothing is confirmed here.
    func answer(
        _ settled: Settlement, question: SessionQuestion, request: Request
    ) async throws -> Response {
        let verdict = settled.approver?.standing ?? .notApproved
        var notes = [
            LogField("verdict", verdict.words(of: settled.approver).log), LogField("way", "bind"),
            LogField("session", question.attempt),
        ]
        let answer: SealedBindAnswer
        if let approver = settled.approver {
            notes.append(LogField("id", id8(approver.description.id)))
            answer =
                try verdict == .granted
                ? granted(question.a, to: approver) : SealedBindAnswer(a: question.a, refused: verdict)
            try await context.storage.append(
                event(
                    "session.bind", identity: approver, question: question, verdict: verdict, request: request
                ))
        } else {
            answer = SealedBindAnswer(a: question.a, refused: .notApproved)
        }
        let opened = try await context.hostKey(question.host, question.epoch)
        var message = AuthenticateResponse(message: verdict.words.text)
        message.bindAnswer = HexOctets(answer.octets)
        message.bindAnswerTag = HexOctets(try opened.key.tag(of: answer))
        return Response(200, json: json(message), notes: notes)
    }

    private func granted(_ a: QuestionHash, to approver: IdentityRecord) throws -> SealedBindAnswer {
        let answer = SealedBindAnswer(
            a: a, verdict: .granted, id: approver.description.id,
            userID: [UInt8](approver.description.userID.utf8),
            registered: UInt64(clamping: approver.issuedAt / Limits.second))
        guard let answer else { throw SealFailure.malformed }
        return answer
    }

    /// The host found the approval code right, and root agreed. This confirms an identity that was enrolled
    /// by a QR code, but only if the host named the user whom it binds.
    func confirm(_ a: QuestionHash, tag: [UInt8], request: Request) async throws -> Response {
        guard let session = try await context.storage.grantedSession(a: a), let id = session.approvedBy,
            case let question = try session.question(), case .bind(let bind) = question.purpose
        else { return Redemptions(context: context).expired }
        let notes = [LogField("id", id8(id)), LogField("session", question.attempt)]
        let opened = try await context.hostKey(question.host, question.epoch)
        guard opened.key.verifies(bindDone: tag, a: a, id: id) else {
            return context.notSealed(host: question.host)
        }
        guard let identity = try await context.storage.identity(id: id), identity.revokedAt == nil else {
            return Response(
                403, json: json(AuthenticateResponse(message: Verdict.revoked.words.text)),
                notes: notes + [LogField("refused", "revoked")])
        }
        try await context.storage.noteBound(
            a: a,
            recording: event(
                "phone.bound", identity: identity, question: question, verdict: .granted, request: request))
        var message = AuthenticateResponse(message: "OK")
        message.confirmed = !identity.isUnconfirmed
        if identity.isUnconfirmed, bind.userID == [UInt8](identity.description.userID.utf8) {
            let event = try event(
                "user.confirm", identity: identity, question: question, verdict: .granted, request: request)
            // False if another call, or an administrator, was faster.
            _ = try await context.storage.confirm(id: id, recording: event)
            message.confirmed = try await context.storage.identity(id: id)?.isUnconfirmed == false
        }
        return Response(200, json: json(message), notes: notes)
    }

    private func event(
        _ kind: String, identity: IdentityRecord, question: SessionQuestion, verdict: Verdict,
        request: Request
    ) throws -> AuditEvent {
        AuditEvent(
            kind: kind, subject: id8(identity.description.id), host: question.host, source: question.source,
            attempt: question.attempt,
            fields: [
                AuditField("verdict", verdict.words(of: identity).log),
                AuditField("user", identity.description.userID),
                AuditField("account", shown(question.account)), AuditField("from", request.peer.source),
            ])
    }
}
