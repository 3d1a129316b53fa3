// SPDX-License-Identifier: Apache-2.0
// POST mpinAuthenticate from a host: redeems an authOTT, an approval by a second device, or a one-time
// password, once, and answers the sealed verdict.
import MPin
import MPinDatabase
import MPinWire
import Octets

struct Redemptions: Sendable {
    let context: ServiceContext

    /// A verdict and its details, independent of the form of the answer.
    struct Finding {
        var verdict: Verdict
        let triesLeft: UInt16?
        let lockedSeconds: UInt32
        let id: IdentityHash
        /// Blocked until an administrator unlocks it.
        let isFinal: Bool
        /// The verdict is that of a revoked identity, but the log says `suspended`.
        let isSuspended: Bool

        /// Status and texts of an answer without a seal.
        var words: VerdictWords {
            if verdict == .blocked { return isFinal ? .blockedForGood : .locked }
            return isSuspended && verdict == .revoked ? .suspended : verdict.words
        }

        var notes: [LogField] { [LogField("id", id8(id)), LogField("verdict", words.log)] }
    }

    /// 408 for an authOTT that is unknown, expired, used, or was made for another purpose.
    func authenticate(_ asked: AuthenticateRequest?, _ request: Request) async throws -> Response {
        guard let asked, let a = asked.a else {
            return Response(400, json: json(AuthenticateResponse(message: "Bad Request")))
        }
        if let authOTT = asked.mpinResponse?.authOTT {
            return try await redeem(authOTT, a: a, request: request)
        }
        if let tag = asked.bindDoneTag?.octets {
            return try await PhoneBinding(context: context).confirm(a, tag: tag, request: request)
        }
        guard let id = asked.id else { return try await settle(a, request) }
        return try await settle(a, otpOf: id, request)
    }

    /// Way 1: the verdict on a proof with a PIN, sealed for the host.
    private func redeem(_ authOTT: String, a: QuestionHash, request: Request) async throws -> Response {
        let redemption = try await context.storage.redeem(
            authOTTHash: TicketHash(of: authOTT), purpose: .question(a)
        ) { redemption in self.event(self.finding(redemption), of: redemption, request: request) }
        guard let redemption else { return expired }
        let finding = finding(redemption)
        context.metrics.redeemed(by: .pin, finding.words)
        let notes = finding.notes + (await context.tellBook(of: redemption.revoked))
        let answer = SealedVerdict(
            a: a, way: .pin, verdict: finding.verdict, id: finding.verdict == .granted ? finding.id : nil,
            triesLeft: finding.triesLeft, secondsUntilRelease: finding.lockedSeconds)
        return try sealed(
            answer, for: redemption.verdict.host ?? "", under: redemption.hostKey, notes: notes,
            notice: redemption.notice(for: .host, subject: a.octets))
    }

    /// Way 2: the verdict on the session that this question opened. Besides a grant, only a revocation or a
    /// block of the approver is reported; a session that was not approved, was denied, aborted or used, or
    /// has expired, always gets the same answer.
    private func settle(_ a: QuestionHash, _ request: Request) async throws -> Response {
        let settled = try await context.storage.settleSession(a: a) { $0.origin(approvedBy: $1) }
        guard let settled else { return expired }
        let question = try settled.session.question()
        if case .bind = question.purpose {
            return try await PhoneBinding(context: context).answer(
                settled, question: question, request: request)
        }
        let id = settled.approver?.description.id
        let verdict = settled.approver?.standing ?? .notApproved
        context.metrics.redeemed(by: .phone, verdict.words(of: settled.approver))
        let notes = [
            LogField("id", id.map(id8) ?? ""), LogField("verdict", verdict.words(of: settled.approver).log),
            LogField("way", "phone"), LogField("session", attemptText(a)),
        ]
        let answer = SealedVerdict(
            a: a, way: .phone, verdict: verdict, id: verdict == .granted ? id : nil, triesLeft: nil,
            secondsUntilRelease: 0)
        let host = settled.session.host
        let response = try sealed(
            answer, for: host,
            under: try await context.hostKeyRecord(host, settled.session.hostEpoch), notes: notes)
        if let approver = settled.approver {
            try await context.storage.append(
                AuditEvent(
                    kind: "login", subject: id8(approver.description.id), host: settled.session.host,
                    source: question.source, attempt: request.attempt,
                    fields: loginFields(verdict, to: approver, by: "phone", in: response)))
        }
        return response
    }

    /// The fields of the audit record of a host's login. Without a seal the host refuses the login, whatever
    /// the verdict was.
    func loginFields(_ verdict: Verdict, to identity: IdentityRecord, by way: String, in response: Response)
        -> [AuditField]
    {
        let isUnsealed = verdict == .granted && response.status != 200
        return [
            AuditField("verdict", isUnsealed ? "host-removed" : verdict.words(of: identity).log),
            AuditField("way", way), AuditField("user", identity.description.userID),
        ]
    }

    var expired: Response {
        Response(408, json: json(AuthenticateResponse(message: "Expired authentication request")))
    }

    /// The verdict on a redeemed proof. Revocation, suspension and block are read again: they may be newer
    /// than the proof.
    func finding(_ redemption: Redemption) -> Finding {
        let verdict = verdict(redemption)
        let triesLeft: UInt16?
        let lockedSeconds: UInt32
        switch verdict {
        case .granted: (triesLeft, lockedSeconds) = (redemption.tries.scarce, 0)
        case .wrong, .blocked:
            (triesLeft, lockedSeconds) = (redemption.tries.left, redemption.tries.lockedSeconds)
        // No number from which a right PIN could be recognised.
        case .revoked, .secretExpired, .notApproved: (triesLeft, lockedSeconds) = (nil, 0)
        }
        return Finding(
            verdict: verdict, triesLeft: triesLeft, lockedSeconds: lockedSeconds,
            id: redemption.verdict.id,
            isFinal: redemption.identity?.blockedAt != nil,
            isSuspended: redemption.identity?.isSuspended == true || redemption.verdict.result == .suspended)
    }

    private func verdict(_ redemption: Redemption) -> Verdict {
        // A stranger learns nothing about the identity.
        guard redemption.verdict.counting != .none else { return .wrong }
        guard redemption.identity.map({ $0.description.kind.fits(redemption.verdict) }) ?? true else {
            return .wrong
        }
        guard redemption.identity?.revokedAt == nil else { return .revoked }
        guard redemption.identity?.isSuspended != true else { return .revoked }
        // Even with a right PIN: the block may be newer than the proof.
        guard redemption.identity?.blockedAt == nil else { return .blocked }
        switch redemption.verdict.result {
        case .good: return .granted
        case .wrong: return redemption.tries.lockedSeconds > 0 ? .blocked : .wrong
        case .locked: return .blocked
        case .revoked, .suspended: return .revoked
        case .secretExpired: return .secretExpired
        }
    }

    /// Seals a verdict under the key of the question, if that key is still valid; 403 without a seal if it is
    /// not, for example because the host was removed. A granted login always has a notice of the wrong tries
    /// before it, even if there were none.
    func sealed(
        _ verdict: SealedVerdict, for host: String, under key: HostKeyRecord?, notes: [LogField],
        notice: TriesNotice? = nil
    ) throws -> Response {
        guard let key else {
            return Response(
                403, json: json(AuthenticateResponse(message: Verdict.revoked.words.text)),
                notes: notes + [LogField("refused", "host")])
        }
        var answer = AuthenticateResponse(message: verdict.verdict.words.text)
        answer.answer = HexOctets(verdict.octets)
        let opened = try context.opened(key, host)
        answer.answerTag = HexOctets(try opened.key.tag(of: verdict))
        if verdict.verdict == .granted {
            let notice =
                notice
                ?? TriesNotice(
                    for: .host, subject: verdict.a.octets, count: 0, lastSeconds: 0, lastSource: [])
            answer.notice = notice.map { HexOctets($0.octets) }
            answer.noticeTag = try notice.map { HexOctets(try opened.key.tag(of: $0)) }
        }
        return Response(verdict.verdict.words.status, json: json(answer), notes: notes)
    }

    /// The record of a redemption. Unknown ids, strangers that name a device, and tries that a lock refused
    /// are only in the log: a flood of them must not push logins out of the trail.
    func event(
        _ finding: Finding, of redemption: Redemption, request: Request, more: [AuditField] = []
    ) -> AuditEvent? {
        guard redemption.identity != nil, redemption.verdict.result != .locked,
            redemption.verdict.counting != .none
        else { return nil }
        var fields = [AuditField("verdict", finding.words.log), AuditField("way", "pin")]
        if let userID = redemption.identity?.description.userID { fields.append(AuditField("user", userID)) }
        if let wrong = redemption.wrongTries {
            fields.append(AuditField("wrong-before", String(wrong.count)))
            fields.append(AuditField("last-wrong-from", wrong.lastSource))
        }
        fields += redemption.revoked.map { AuditField("revoked", id8($0)) } + more
        return AuditEvent(
            kind: "login", subject: id8(finding.id), host: redemption.verdict.host ?? "",
            source: redemption.verdict.source, attempt: request.attempt, fields: fields)
    }
}
