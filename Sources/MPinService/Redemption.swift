// SPDX-License-Identifier: Apache-2.0
// POST mpinAuthenticate: the RPA redeems an authOTT, once, and says the verdict; sealed where a host asked.
import MPin
import MPinStorage
import MPinWire
import Secrets

struct RelyingParty: Sendable {
    let backend: Backend

    /// The verdict with what goes with it, however it will be said.
    fileprivate struct Finding {
        let verdict: Verdict
        let triesLeft: UInt16?
        let lockedSeconds: UInt32
        let id: [UInt8]
    }

    /// 408 for an authOTT that is unknown, expired, used, or was made for another purpose.
    func authenticate(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(AuthenticateRequest.self, from: request.body),
            let authOTT = asked.mpinResponse?.authOTT
        else { return Response(400, json: json(AuthenticateResponse(message: "Bad Request"))) }
        let purpose = asked.a.map { Purpose.ask($0.octets) } ?? .login
        let redemption = try await backend.storage.redeem(
            authOTTHash: sha256([UInt8](authOTT.utf8)), purpose: purpose)
        guard let redemption else {
            return Response(408, json: json(AuthenticateResponse(message: "Expired authentication request")))
        }
        let finding = finding(redemption)
        let notes = notes(finding) + (await backend.tell(redemption.revoked))
        // Ids that nobody has are in the log alone: a flood of them must not push logins out of the trail.
        if redemption.mpin != nil {
            try await backend.storage.append(event(finding, redemption, request))
        }
        var answer = AuthenticateResponse(message: finding.verdict.text)
        if let a = asked.a?.octets {
            guard let sealed = try await sealed(finding, a, redemption.verdict) else {
                return Response(
                    403, json: json(answer), notes: notes + [LogField("refused", "host")])
            }
            answer.answer = HexOctets(sealed.answer)
            answer.answerTag = HexOctets(sealed.tag)
        }
        return Response(finding.status, json: json(answer), notes: notes)
    }

    /// Revocation is read again: it may have come after the proof.
    private func finding(_ redemption: Redemption) -> Finding {
        let verdict = verdict(redemption)
        return Finding(
            verdict: verdict, triesLeft: verdict == .granted ? nil : redemption.triesLeft,
            lockedSeconds: redemption.lockedSeconds, id: redemption.verdict.id)
    }

    private func verdict(_ redemption: Redemption) -> Verdict {
        guard redemption.mpin.map({ $0.description.kind.fits(redemption.verdict) }) ?? true else {
            return .wrong
        }
        guard redemption.mpin?.revokedAt == nil else { return .revoked }
        switch redemption.verdict.result {
        case .good: return .granted
        case .wrong: return redemption.lockedSeconds > 0 ? .blocked : .wrong
        case .locked: return .blocked
        case .revoked: return .revoked
        case .secretExpired: return .secretExpired
        }
    }

    /// Under the key that fitted the question, if it still answers; nil if the host has been removed.
    private func sealed(
        _ finding: Finding, _ a: [UInt8], _ verdict: VerdictRecord
    ) async throws -> (answer: [UInt8], tag: [UInt8])? {
        guard let host = verdict.host, let epoch = verdict.hostEpoch,
            try await backend.storage.host(host)?.epochs.contains(epoch) == true,
            let answer = SealedVerdict(
                a: a, way: .pin, verdict: finding.verdict, id: finding.verdict == .granted ? finding.id : nil,
                triesLeft: finding.triesLeft, secondsUntilRelease: finding.lockedSeconds)
        else { return nil }
        return (answer.octets, try backend.hostKey(host, epoch).tag(of: answer))
    }

    private func notes(_ finding: Finding) -> [LogField] {
        [LogField("id", id8(finding.id)), LogField("verdict", finding.verdict.logText)]
    }

    private func event(_ finding: Finding, _ redemption: Redemption, _ request: Request) -> AuditEvent {
        var fields = [AuditField("verdict", finding.verdict.logText), AuditField("way", "pin")]
        if let userID = redemption.mpin?.description.userID { fields.append(AuditField("user", userID)) }
        if let wrong = redemption.wrongTries {
            fields.append(AuditField("wrong-before", String(wrong.count)))
            fields.append(AuditField("last-wrong-from", wrong.lastSource))
        }
        return AuditEvent(
            kind: "login", subject: id8(finding.id), host: redemption.verdict.host ?? "",
            source: redemption.verdict.source, attempt: request.attempt, fields: fields)
    }
}

extension RelyingParty.Finding {
    /// What a client without a seal goes by. Every lock ends by itself, so none is 410,
    /// at which a Milagro client would erase its token.
    var status: Int {
        switch verdict {
        case .granted: 200
        case .wrong: 401
        case .blocked: 403
        case .revoked: 403
        case .secretExpired: 409
        case .notApproved: 408
        }
    }
}

extension Verdict {
    fileprivate var text: String {
        switch self {
        case .granted: "Authentication successful"
        case .wrong: "Wrong PIN."
        case .blocked: "Blocked"
        case .revoked: "Revoked"
        case .secretExpired: "Client secret expired"
        case .notApproved: "Not approved"
        }
    }

    fileprivate var logText: String {
        switch self {
        case .granted: "granted"
        case .wrong: "wrong"
        case .blocked: "blocked"
        case .revoked: "revoked"
        case .secretExpired: "secret-expired"
        case .notApproved: "not-approved"
        }
    }
}
