// SPDX-License-Identifier: Apache-2.0
// The public listener's routes: RPS, D-TA 2 and RPA. What administrators may do is not reachable from here.
import MPinStorage
import MPinWire

private enum PublicRoute: String, CaseIterable {
    case clientSettings, service, status, user, signature, setupDone, timePermit
    case passOne = "pass1"
    case passTwo = "pass2"
    case getQrUrl, getAccessNumber, access, codeStatus
    case mobileAuthenticate = "authenticate"
    case authenticate = "mpinAuthenticate"
    case logout = "mpinLogout"
    case otp, standing, host
    case authorizeURL = "authzurl"
    case authorizationCode = "authtoken"
    case authorize
    case authorityClientSecret = "dta2.clientSecret"
    case authorityTimePermit = "dta2.timePermit"
    case authorityStatus = "dta2.status"

    var path: String {
        switch self {
        case .clientSettings: Route.clientSettings
        case .service: Route.service
        case .status: Route.status
        case .user: Route.user
        case .signature: Route.signature
        case .setupDone: Route.setupDone
        case .timePermit: Route.timePermit
        case .passOne: Route.passOne
        case .passTwo: Route.passTwo
        case .getQrUrl: Route.getQrUrl
        case .getAccessNumber: Route.getAccessNumber
        case .access: Route.access
        case .codeStatus: Route.codeStatus
        case .mobileAuthenticate: Route.mobileAuthenticate
        case .authenticate: Route.authenticate
        case .logout: Route.logout
        case .otp: Route.otp
        case .standing: Route.standing
        case .host: Route.host
        case .authorizeURL: Route.authorizeURL
        case .authorizationCode: Route.authorizationCode
        case .authorize: Route.authorize
        case .authorityClientSecret: Route.authorityClientSecret
        case .authorityTimePermit: Route.authorityTimePermit
        case .authorityStatus: Route.authorityStatus
        }
    }

    var method: String {
        switch self {
        case .user: "PUT"
        case .passOne, .passTwo, .getQrUrl, .getAccessNumber, .access, .codeStatus, .mobileAuthenticate,
            .authenticate, .logout, .otp, .standing, .host, .setupDone, .authorizeURL, .authorizationCode,
            .authorize:
            "POST"
        case .clientSettings, .service, .status, .signature, .timePermit, .authorityClientSecret,
            .authorityTimePermit, .authorityStatus:
            "GET"
        }
    }

    /// Whether an mpinId's hex may stand behind the path, and whether it may be absent.
    private var takesMPinID: (with: Bool, without: Bool) {
        switch self {
        case .user: (true, true)
        case .signature, .setupDone, .timePermit: (true, false)
        case .clientSettings, .service, .status, .passOne, .passTwo, .getQrUrl, .getAccessNumber, .access,
            .codeStatus, .mobileAuthenticate, .authenticate, .logout, .otp, .standing, .host, .authorizeURL,
            .authorizationCode, .authorize, .authorityClientSecret, .authorityTimePermit, .authorityStatus:
            (false, true)
        }
    }

    /// By a path's components, with the mpinId's hex where one stands there; nil for every other path.
    static func find(_ path: [String]) -> (route: PublicRoute, mpinID: String?)? {
        for route in allCases {
            let own = route.path.split(separator: "/").map(String.init)
            if path == own, route.takesMPinID.without { return (route, nil) }
            if path.count == own.count + 1, path.starts(with: own), route.takesMPinID.with {
                return (route, path[own.count])
            }
        }
        return nil
    }
}

/// `(Request) async -> Response` of the public listener.
package struct PublicRouter: Sendable {
    private let backend: ServiceContext
    private let gate: RequestPolicy
    /// nil: this server has no phone page, and says nothing of one.
    private let page: PageShelf?

    package init(backend: ServiceContext, gate: RequestPolicy, page: PageShelf? = nil) {
        self.backend = backend
        self.gate = gate
        self.page = page
    }

    /// What must be refused before the body is read; nil lets the request come.
    package func refusal(ofHead request: Request) -> Response? { gate.refusal(of: request) }

    package func respond(to request: Request) async -> Response {
        var response: Response
        let path = request.path.map(backend.settings.service.route)
        if let refusal = gate.refusal(of: request) ?? gate.refusal(ofBody: request) {
            response = refusal
        } else if request.method == "OPTIONS", let path, path.first == "rps" || PublicRoute.find(path) != nil
        {
            response = Response(200, json: message("options request"))
        } else if let (route, mpinID) = path.flatMap(PublicRoute.find), isOffered(route) {
            response = await guarded { try await answer(request, route: route, mpinID: mpinID) }
            response.route = route.rawValue
        } else if let file = page?.response(to: request) {
            response = file
            response.route = "page"
        } else {
            response = request.path?.first == "dta2" ? TrustedAuthority.notFound() : Information.notFound()
        }
        response.headers += gate.headers(for: request)
        if response.status == 401 { response.headers.append(("WWW-Authenticate", "Authenticate")) }
        return response
    }

    private func answer(_ request: Request, route: PublicRoute, mpinID: String?) async throws -> Response {
        guard request.method == route.method else {
            return Response(405, json: message("Method Not Allowed"))
        }
        switch route {
        case .clientSettings: return try Information(backend: backend).clientSettings()
        case .service: return Information(backend: backend).service()
        case .status: return Information(backend: backend).status()
        case .user:
            return try await Registration(backend: backend).register(
                request, pending: mpinID.flatMap(octets))
        case .signature:
            return try await withMPinID(mpinID, request: request, answer: Issuing(backend: backend).signature)
        case .setupDone: return Response(200)
        case .timePermit:
            return try await withMPinID(
                mpinID, request: request, answer: TimePermits(backend: backend).timePermit)
        case .passOne: return try await FirstPass(backend: backend).pass(request)
        case .passTwo: return try await SecondPass(backend: backend).pass(request)
        case .getQrUrl: return try await Sessions(backend: backend).open(request)
        case .getAccessNumber: return try await Browsers(backend: backend).open(request, as: .number)
        case .access: return try await Browsers(backend: backend).access(request)
        case .codeStatus: return try await Sessions(backend: backend).status(request)
        case .mobileAuthenticate: return try await Approving(backend: backend).authenticate(request)
        case .logout: return try await Approving(backend: backend).logOut(request)
        case .authenticate: return try await Redemptions(backend: backend).authenticate(request)
        case .otp: return try await OneTimePasswords(backend: backend).tags(request)
        case .standing: return try await Standings(backend: backend).tell(request)
        case .host: return try await HostJoining(backend: backend).join(request)
        case .authorizeURL: return try await Applications(backend: backend).authorizeURL(request)
        case .authorizationCode: return try await Applications(backend: backend).verify(request)
        case .authorize: return try await Applications(backend: backend).open(request)
        case .authorityClientSecret:
            return try await TrustedAuthority(backend: backend).clientSecret(request)
        case .authorityTimePermit: return try await TrustedAuthority(backend: backend).timePermit(request)
        case .authorityStatus: return TrustedAuthority(backend: backend).status()
        }
    }

    /// What browsers ask is there for those who want it.
    private func isOffered(_ route: PublicRoute) -> Bool {
        switch route {
        case .getAccessNumber, .access: backend.settings.compatibility != nil
        case .clientSettings, .service, .status, .user, .signature, .setupDone, .timePermit, .passOne,
            .passTwo, .getQrUrl, .codeStatus, .mobileAuthenticate, .authenticate, .logout, .otp, .standing,
            .host,
            .authorizeURL, .authorizationCode, .authorize, .authorityClientSecret, .authorityTimePermit,
            .authorityStatus:
            true
        }
    }

    /// A path whose last component is no hexadecimal text is no path of ours.
    private func withMPinID(
        _ hex: String?, request: Request, answer: (Request, [UInt8]) async throws -> Response
    ) async throws -> Response {
        guard let mpinID = hex.flatMap(octets), !mpinID.isEmpty else {
            return Information.notFound()
        }
        return try await answer(request, mpinID)
    }
}

/// Whatever a handler could not do becomes an answer, and the reason a note for the log.
func guarded(_ body: () async throws -> Response) async -> Response {
    do {
        return try await body()
    } catch let refusal as Refusal {
        return refusal.response
    } catch let error as StorageError {
        return unavailable("storage \(error)")
    } catch AuthorityError.book(let error) {
        return unavailable("storage \(error)")
    } catch let error as AuthorityError {
        return unavailable("authority \(error)")
    } catch {
        return Response(500, json: message("Internal Server Error"), notes: [LogField("error", "\(error)")])
    }
}

private func unavailable(_ why: String) -> Response {
    Response(503, json: message("Service Unavailable"), notes: [LogField("error", why)]).retrying(after: 1)
}
