// SPDX-License-Identifier: Apache-2.0
// The public listener's routes: RPS, D-TA 2 and RPA. Administrators' calls are not reachable from here.
import MPinWire

/// Answers the requests of the public listener.
package struct PublicRouter: Sendable {
    /// Every route of this listener.
    static let endpoints: [Endpoint<ServiceContext>] = [
        // Information about this server.
        .init(.get, Route.clientSettings) { context, _ in
            try Information(context: context).clientSettings()
        },
        .init(.get, Route.service) { context, _ in Information(context: context).service() },
        .init(.get, Route.status) { context, _ in Information(context: context).status() },
        // Registration.
        .init(.put, Route.user, tail: .either) {
            let asked = try Registration.asked($1)
            let pending = $2.flatMap(octets)
            if let verified = VerifiedRegistration(asked, in: $0) {
                return try await verified.register($1, pending: pending)
            }
            return try await Registration(context: $0).register(asked, $1, pending: pending)
        },
        .init(
            .get, Route.signature, needsProof: true,
            ofMPinID: { try await Issuing(context: $0).signature($1, mpinID: $2) }),
        .init(.post, Route.setupDone, tail: .something) { _, _, _ in Response(200) },
        .init(.post, Route.host, needsProof: true) { try await HostJoining(context: $0).join($1) },
        // Logins.
        .init(
            .get, Route.timePermit,
            ofMPinID: { try await TimePermits(context: $0).timePermit($1, mpinID: $2) }),
        .init(.post, Route.passOne) { try await FirstPass(context: $0).pass($1) },
        .init(.post, Route.passTwo) { try await SecondPass(context: $0).pass($1) },
        .init(.post, Route.authenticate, needsProof: true) {
            let asked = try? decoded(AuthenticateRequest.self, from: $1.body)
            if let authOTT = asked?.mpinResponse?.authOTT, asked?.a == nil {
                return try await UnsealedRedemptions(context: $0).redeem(authOTT, $1)
            }
            return try await Redemptions(context: $0).authenticate(asked, $1)
        },
        .init(.post, Route.otp, needsProof: true) { try await OneTimePasswords(context: $0).tags($1) },
        .init(.post, Route.standing, needsProof: true) { try await Standings(context: $0).answer($1) },
        // Sessions that a second device approves.
        .init(.post, Route.getQrUrl) { try await Sessions(context: $0).open($1) },
        .init(.post, Route.getAccessNumber, isOffered: hasBrowsers) {
            try await Browsers(context: $0).open($1, as: .number)
        },
        .init(.post, Route.access, isOffered: hasBrowsers) { try await Browsers(context: $0).access($1) },
        .init(.post, Route.codeStatus) { try await Sessions(context: $0).status($1) },
        .init(.post, Route.waiting) { try await WaitingList(context: $0).answer($1) },
        .init(.post, Route.mobileAuthenticate, needsProof: true) {
            try await Approving(context: $0).authenticate($1)
        },
        .init(.post, Route.logout, needsProof: true) { try await Approving(context: $0).logOut($1) },
        // Applications.
        .init(.post, Route.authorizeURL) { try await Applications(context: $0).authorizeURL($1) },
        .init(.post, Route.authorize) { try await Applications(context: $0).open($1) },
        .init(.post, Route.authorizationCode, needsProof: true) {
            try await Applications(context: $0).verify($1)
        },
        // D-TA 2.
        .init(.get, Route.authorityClientSecret, needsProof: true) {
            try await TrustedAuthority(context: $0).clientSecret($1)
        },
        .init(.get, Route.authorityTimePermit) { try await TrustedAuthority(context: $0).timePermit($1) },
        .init(.get, Route.authorityStatus) { context, _ in TrustedAuthority(context: context).status() },
    ]

    /// Whether browsers may open sessions: only under `profile = compat`.
    private static let hasBrowsers: @Sendable (ServiceContext) -> Bool = { $0.settings.compatibility != nil }

    private let context: ServiceContext
    private let policy: RequestPolicy
    /// nil if this server has no phone page.
    private let page: ServedPage?

    package init(context: ServiceContext, policy: RequestPolicy, page: ServedPage? = nil) {
        self.context = context
        self.policy = policy
        self.page = page
    }

    /// The refusal of a request's head, before the body is read; nil lets it pass.
    package func refusal(ofHead request: Request) -> Response? { policy.refusal(of: request) }

    package func respond(to request: Request) async -> Response {
        var response: Response
        let path = request.path.map(context.settings.service.route)
        let found = path.flatMap { Endpoint.find($0, in: PublicRouter.endpoints) }
        if let refusal = policy.refusal(of: request) ?? policy.refusal(ofBody: request) {
            response = refusal
        } else if request.method == "OPTIONS", path?.first == "rps" || found != nil {
            response = Response(200, json: message("options request"))
        } else if let (endpoint, tail) = found, endpoint.isOffered(context) {
            response = await answer(request, at: endpoint, tail: tail)
        } else if let file = page?.response(to: request) {
            response = file
            response.route = "page"
        } else {
            response = request.path?.first == "dta2" ? TrustedAuthority.notFound() : Information.notFound()
        }
        response.headers += policy.headers(for: request)
        if response.status == 401 { response.headers.append(("WWW-Authenticate", "Authenticate")) }
        return response
    }

    private func answer(
        _ request: Request, at endpoint: Endpoint<ServiceContext>, tail: String?
    ) async -> Response {
        var response =
            request.method == endpoint.method.rawValue
            ? await guarded { try await endpoint.answer(context, request, tail) } : .methodNotAllowed
        response.route = RouteName(of: endpoint)
        if endpoint.needsProof { response.isProven = true }
        return response
    }
}

extension Endpoint {
    /// A route whose path is followed by an mpinId in hexadecimal. Other text is answered like an unknown
    /// path.
    fileprivate init(
        _ method: Method, _ path: String, needsProof: Bool = false,
        ofMPinID answer: @escaping @Sendable (Server, Request, _ mpinID: [UInt8]) async throws -> Response
    ) {
        self.init(method, path, tail: .something, needsProof: needsProof) { server, request, tail in
            guard let mpinID = tail.flatMap(octets), !mpinID.isEmpty else { return Information.notFound() }
            return try await answer(server, request, mpinID)
        }
    }
}
