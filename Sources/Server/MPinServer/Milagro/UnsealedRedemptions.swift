// SPDX-License-Identifier: Apache-2.0
// Redemptions that no host's question belongs to: POST mpinAuthenticate from a client, an application or a
// browser, and what the external RPA shares with it.
import MPin
import MPinDatabase
import MPinWire

struct UnsealedRedemptions: Sendable {
    let context: ServiceContext

    private var redemptions: Redemptions { Redemptions(context: context) }

    /// A plain login, or a login to an application or in a browser. If there is an external RPA, these
    /// requests belong to it.
    func redeem(_ authOTT: String, _ request: Request) async throws -> Response {
        guard !context.settings.redeemsElsewhere else { return Information.notFound() }
        let hash = TicketHash(of: authOTT)
        var redemption = try await context.storage.redeem(authOTTHash: hash, purpose: .login)
        if redemption == nil {
            redemption = try await context.storage.redeemForApplication(authOTTHash: hash)
        }
        guard let redemption else { return try await redeemBrowser(hash, request) }
        let finding = redemptions.finding(redemption)
        let notes = finding.notes + (await context.tellBook(of: redemption.revoked))
        var answer = AuthenticateResponse(message: finding.words.text)
        try context.tellDevice(finding, redemption, in: &answer)
        var fields: [AuditField] = []
        if finding.verdict == .granted {
            switch try await Applications(context: context).grant(redemption, request) {
            case .nothing: break
            case .code(let code, let application):
                answer.code = code
                fields.append(AuditField("app", application.name))
            case .gone:
                try await record(
                    finding, of: redemption, request: request, fields: [AuditField("app", "gone")])
                return redemptions.expired
            }
            if let otp = redemption.otp {
                answer.say(otp)
                fields.append(AuditField("otp", "made"))
            }
        }
        try await record(finding, of: redemption, request: request, fields: fields)
        return Response(finding.words.status, json: json(answer), notes: notes)
    }

    /// Counts a redemption, and records it in the audit trail.
    func record(
        _ finding: Redemptions.Finding, of redemption: Redemption, request: Request,
        fields: [AuditField] = []
    ) async throws {
        context.metrics.redeemed(by: .pin, finding.words)
        let event = redemptions.event(finding, of: redemption, request: request, more: fields)
        if let event { try await context.storage.append(event) }
    }

    /// For a browser whose session a device has approved, with the authOTT that the browser got by polling.
    private func redeemBrowser(_ hash: TicketHash, _ request: Request) async throws -> Response {
        guard context.settings.compatibility != nil,
            let login = try await browserLogin(hash, result: LoginResult(status: 200), request)
        else { return redemptions.expired }
        let words = login.words
        return Response(
            words.status, json: json(AuthenticateResponse(message: words.text)),
            notes: [
                LogField("id", id8(login.approver.description.id)), LogField("verdict", words.log),
                LogField("way", "phone"), browserNote(login.wid),
            ])
    }

    /// Redeems a browser's session, counts that and records it; nil if none has this ticket.
    func browserLogin(
        _ hash: TicketHash, result: LoginResult, _ request: Request
    ) async throws -> (wid: String, approver: IdentityRecord, words: VerdictWords)? {
        let redeemed = try await context.storage.redeemBrowser(authOTTHash: hash, result: result)
        guard let redeemed, let approver = redeemed.approver else { return nil }
        let words = approver.standing.words(of: approver)
        context.metrics.redeemed(by: .phone, words)
        try await context.storage.append(
            AuditEvent(
                kind: "login", subject: id8(approver.description.id), source: redeemed.source,
                attempt: browserAttempt(redeemed.wid),
                fields: [
                    AuditField("verdict", words.log), AuditField("way", "phone"),
                    AuditField("user", approver.description.userID),
                    AuditField("from", request.peer.source),
                ]))
        return (redeemed.wid, approver, words)
    }
}
