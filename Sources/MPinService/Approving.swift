// SPDX-License-Identifier: Apache-2.0
// What a second device does to a console's session: POST authenticate approves or denies it, POST mpinLogout
// ends what was granted.
import MPin
import MPinStorage
import MPinWire
import Secrets

struct Approving: Sendable {
    let backend: Backend

    /// Answers at once, for the console's letters come from this answer. Only a good proof by an identity
    /// that the session's question lists touches the session; whoever else proves something gets 412.
    func authenticate(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(AuthenticateRequest.self, from: request.body),
            let authOTT = asked.mpinResponse?.authOTT
        else { return Response(400) }
        let redemption = try await backend.storage.redeemForSession(
            authOTTHash: sha256([UInt8](authOTT.utf8)))
        guard let redemption else { return gone([]) }
        let told = await backend.tell(redemption.revoked)
        guard let session = try await session(redemption), let mpin = redemption.mpin else {
            return gone([LogField("id", id8(redemption.verdict.id))] + told)
        }
        let finding = RelyingParty(backend: backend).finding(redemption)
        let notes =
            finding.notes + [LogField("session", attemptText(session.a)), LogField("way", "phone")] + told
        guard finding.verdict == .granted else {
            try await record("session.approve", session, mpin, finding.verdict, request)
            return Response(finding.verdict.status, json: json(answer(finding.verdict.text)), notes: notes)
        }
        return asked.deny?.isOn == true
            ? try await deny(session, mpin, request, notes)
            : try await approve(session, mpin, request, notes)
    }

    /// The live session that the proof was made for, if its question lists the identity and takes its kind
    /// of proof. (Proofs of Milagro's clients say nothing of what their users saw, T 6.)
    private func session(_ redemption: Redemption) async throws -> SessionRecord? {
        guard case .session(let wid) = redemption.verdict.purpose, let mpin = redemption.mpin,
            let session = try await backend.storage.session(.wid(wid))
        else { return nil }
        let ask = try session.question().ask
        let isTaken =
            switch mpin.description.kind {
            case .bound: true
            case .unbound: ask.flags & Ask.acceptsUnseen != 0
            case .host: false
            }
        return isTaken && ask.ids.contains(mpin.description.id) ? session : nil
    }

    private func approve(
        _ session: SessionRecord, _ mpin: MpinRecord, _ request: Request, _ notes: [LogField]
    ) async throws -> Response {
        guard try await backend.storage.host(session.host)?.epochs.contains(session.hostEpoch) == true else {
            return gone(notes + [LogField("refused", "host")])
        }
        let token = try backend.randomText(16)
        let approval = Approval(
            wid: session.wid, id: mpin.description.id, source: request.peer.source,
            tokenHash: sha256([UInt8](token.utf8)))
        guard try await backend.storage.approve(approval) else { return gone(notes) }
        try await record("session.approve", session, mpin, .granted, request)
        var answer = answer()
        answer.code = mpin.description.kind == .bound ? try code(of: session) : nil
        answer.logoutURL = Route.logout
        answer.logoutData = LogoutData(userId: mpin.description.userID, sessionToken: token)
        return Response(200, json: json(answer), notes: notes)
    }

    /// The six letters, which leave for the second device alone.
    private func code(of session: SessionRecord) throws -> String {
        let code = try backend.hostKey(session.host, session.hostEpoch).phoneCode(
            a: session.a, wid: [UInt8](session.wid.utf8))
        return code.withBytes { bytes in
            String(
                decoding: (0..<bytes.byteCount).map {
                    unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self)
                }, as: UTF8.self)
        }
    }

    private func deny(
        _ session: SessionRecord, _ mpin: MpinRecord, _ request: Request, _ notes: [LogField]
    ) async throws -> Response {
        guard try await backend.storage.endSession(.wid(session.wid), a: session.a) else {
            return gone(notes)
        }
        try await record("session.deny", session, mpin, .notApproved, request)
        return Response(
            200, json: json(answer("Denied")),
            notes: notes + [LogField("ended", "denied")])
    }

    /// 200 once, for the user and the token of a session that was granted; else 400.
    func logOut(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(LogoutData.self, from: request.body), !asked.userId.utf8.contains(0),
            let session = try await backend.storage.logOut(
                tokenHash: sha256([UInt8](asked.sessionToken.utf8)), userID: asked.userId)
        else { return Response(400) }
        let question = try session.question()
        try await backend.storage.append(
            AuditEvent(
                kind: "session.logout", subject: id8(session.approvedBy ?? []), host: session.host,
                source: question.source, attempt: question.attempt,
                fields: [AuditField("user", asked.userId), AuditField("from", request.peer.source)]))
        return Response(200, notes: [LogField("session", question.attempt)])
    }

    /// Unknown, expired, used, or not for him.
    private func gone(_ notes: [LogField]) -> Response {
        Response(412, json: json(answer("Invalid or expired access number")), notes: notes)
    }

    /// As Milagro's server has it here: without a version.
    private func answer(_ message: String? = nil) -> AuthenticateResponse {
        var answer = AuthenticateResponse(message: message)
        answer.version = nil
        return answer
    }

    private func record(
        _ kind: String, _ session: SessionRecord, _ mpin: MpinRecord, _ verdict: Verdict, _ request: Request
    ) async throws {
        let question = try session.question()
        try await backend.storage.append(
            AuditEvent(
                kind: kind, subject: id8(mpin.description.id), host: session.host, source: question.source,
                attempt: question.attempt,
                fields: [
                    AuditField("verdict", verdict.logText), AuditField("user", mpin.description.userID),
                    AuditField("account", shown(question.ask.account)),
                    AuditField("from", request.peer.source),
                ]))
    }
}
