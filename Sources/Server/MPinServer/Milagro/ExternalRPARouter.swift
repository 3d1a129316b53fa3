// SPDX-License-Identifier: Apache-2.0
// The routes of the listener for an external RPA: it confirms registrations, redeems logins and reports
// results.
import MPin
import MPinDatabase
package import MPinWire

/// Answers the requests of the external RPA, which can reach only these routes.
package struct ExternalRPARouter: Sendable {
    /// Every route of this listener.
    private static let endpoints: [Endpoint<ExternalRPARouter>] = [
        .init(.post, ExternalRPARoute.user, tail: .something) { try await $0.activate($2 ?? "", $1) },
        .init(.post, ExternalRPARoute.authenticate) { try await $0.authenticate($1) },
        .init(.post, ExternalRPARoute.loginResult, isOffered: { $0.externalRPA.waitsForResult }) {
            try await $0.finish($1)
        },
    ]

    private let context: ServiceContext
    private let externalRPA: ExternalRPA
    /// The Host headers that this listener accepts.
    private let names: Set<String>

    package init(context: ServiceContext, externalRPA: ExternalRPA, listener: Listener) {
        self.context = context
        self.externalRPA = externalRPA
        self.names = [listener.name ?? RequestPolicy.localName]
    }

    /// Refuses requests of web pages, which would have an Origin header or name another host.
    package func refusal(ofHead request: Request) -> Response? {
        guard let host = request.host else { return RequestPolicy.noHost }
        guard names.contains(host) else { return Response(421) }
        return request.origin == nil ? nil : Response(403)
    }

    package func respond(to request: Request) async -> Response {
        if let refusal = refusal(ofHead: request) { return refusal }
        guard request.body.count <= Request.bodyLimit else { return RequestPolicy.tooLong }
        let found = request.path.flatMap { Endpoint.find($0, in: ExternalRPARouter.endpoints) }
        guard let (endpoint, tail) = found else { return Information.notFound() }
        var response = await guarded { try await answer(request, at: endpoint, tail: tail) }
        response.route = RouteName("rpa", of: endpoint)
        return response
    }

    private func answer(
        _ request: Request, at endpoint: Endpoint<ExternalRPARouter>, tail: String?
    ) async throws -> Response {
        guard endpoint.isOffered(self) else { return Response(404) }
        guard request.method == endpoint.method.rawValue else { return .methodNotAllowed }
        return try await endpoint.answer(self, request, tail)
    }

    /// Activates a registration; 401 both for an unknown registration and for a wrong key.
    private func activate(_ hex: String, _ request: Request) async throws -> Response {
        guard let asked = try? decoded(ActivateRequest.self, from: request.body) else { return Response(400) }
        guard let mpinID = octets(hex) else { return Response(401) }
        let id = identityHash(mpinID)
        let isActive = try await context.storage.activate(
            id: id, activateKeyHash: ActivateKeyHash(of: asked.activateKey))
        return Response(isActive ? 200 : 401, notes: [LogField("id", id8(id))])
    }

    private var redemptions: UnsealedRedemptions { UnsealedRedemptions(context: context) }

    private func authenticate(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(ExternalRPAAuthenticateRequest.self, from: request.body) else {
            return Response(400)
        }
        let hash = TicketHash(of: asked.authOTT)
        if let redemption = try await context.storage.redeemForExternalRPA(authOTTHash: hash) {
            return try await answer(to: redemption, hash: hash, request: request)
        }
        let result = LoginResult(
            status: externalRPA.waitsForResult ? nil : 200,
            logoutURL: asked.logoutURL ?? externalRPA.logoutURL, logoutData: asked.logoutData.map(written))
        guard let login = try await redemptions.browserLogin(hash, result: result, request) else {
            return expired()
        }
        return answer(
            status: login.words.status, text: login.words.text, identity: login.approver,
            notes: [browserNote(login.wid), LogField("way", "phone")])
    }

    /// The answer to a login that no browser's session belongs to.
    private func answer(
        to redemption: Redemption, hash: TicketHash, request: Request
    ) async throws -> Response {
        var finding = Redemptions(context: context).finding(redemption)
        let bookNotes = await context.tellBook(of: redemption.revoked)
        // Enrolled by a QR code and not confirmed: it may be a stranger's.
        let isUnconfirmed = redemption.identity?.isUnconfirmed == true
        if isUnconfirmed, finding.verdict == .granted { finding.verdict = .notApproved }
        try await redemptions.record(finding, of: redemption, request: request)
        guard !isUnconfirmed else {
            return expired(notes: finding.notes + bookNotes)
        }
        if finding.verdict == .granted, externalRPA.waitsForResult {
            try await context.storage.awaitResult(authOTTHash: hash)
        }
        return answer(
            status: finding.words.status, text: finding.words.text, identity: redemption.identity,
            notes: finding.notes + bookNotes,
            otp: finding.verdict == .granted ? try password(redemption.verdict) : nil)
    }

    /// The one-time password that pass 2 showed, which the RPA will check when a user types it.
    private func password(_ verdict: VerdictRecord) throws -> String? {
        guard let sealed = verdict.otp else { return nil }
        return plainText(try context.openedOTP(sealed, of: verdict.id))
    }

    private func expired(notes: [LogField] = []) -> Response {
        answer(status: 408, text: "Expired authentication request", identity: nil, notes: notes)
    }

    private func answer(
        status: Int, text: String, identity: IdentityRecord?, notes: [LogField], otp: String? = nil
    ) -> Response {
        let answer = ExternalRPAAuthenticateResponse(
            status: status, message: text, userId: identity?.description.userID ?? "",
            mpinId: identity?.description.mpinID ?? [], otp: otp)
        return Response(status, json: json(answer), notes: notes)
    }

    /// Takes the RPA's result of a login. Only 200 and 400 to 599 are statuses that a device understands.
    private func finish(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(LoginResultRequest.self, from: request.body),
            asked.status.value == 200 || (400...599).contains(asked.status.value)
        else { return Response(400) }
        let hash = TicketHash(of: asked.authOTT)
        if try await context.storage.takeResult(authOTTHash: hash) { return Response(200) }
        let isTold = try await context.storage.finishBrowser(
            authOTTHash: hash,
            result: LoginResult(
                status: asked.status.value, logoutURL: asked.logoutURL,
                logoutData: asked.logoutData.map(written)))
        return Response(isTold ? 200 : 408)
    }

    private func written(_ value: JSONValue) -> String { String(decoding: json(value), as: UTF8.self) }
}
