// SPDX-License-Identifier: Apache-2.0
// The public listener's routes: RPS, D-TA 2 and RPA. What administrators may do is not reachable from here.
import MPinStorage
import MPinWire

/// One route, with the mpinId that some of them carry in their path.
private enum PublicRoute {
    case clientSettings, service, status
    case user(mpinID: String?)
    case signature(mpinID: String)
    case setupDone
    case timePermit(mpinID: String)
    case passOne, passTwo, authenticate, host
    case authorityClientSecret, authorityTimePermit, authorityStatus

    /// By the path's components; nil for every other path.
    init?(_ path: [String]) {
        switch (path.first, path.dropFirst().first, path.count) {
        case ("rps", "clientSettings", 2): self = .clientSettings
        case ("rps", "user", 2): self = .user(mpinID: nil)
        case ("rps", "user", 3): self = .user(mpinID: path[2])
        case ("rps", "signature", 3): self = .signature(mpinID: path[2])
        case ("rps", "setupDone", 3): self = .setupDone
        case ("rps", "timePermit", 3): self = .timePermit(mpinID: path[2])
        case ("rps", "pass1", 2): self = .passOne
        case ("rps", "pass2", 2): self = .passTwo
        case ("rps", "host", 2): self = .host
        case ("mpinAuthenticate", nil, 1): self = .authenticate
        case ("service", nil, 1): self = .service
        case ("status", nil, 1): self = .status
        case ("dta2", "clientSecret", 2): self = .authorityClientSecret
        case ("dta2", "timePermit", 2): self = .authorityTimePermit
        case ("dta2", "status", 2): self = .authorityStatus
        default: return nil
        }
    }

    var method: String {
        switch self {
        case .user: "PUT"
        case .passOne, .passTwo, .authenticate, .host, .setupDone: "POST"
        case .clientSettings, .service, .status, .signature, .timePermit, .authorityClientSecret,
            .authorityTimePermit, .authorityStatus:
            "GET"
        }
    }

    /// For the log.
    var name: String {
        switch self {
        case .clientSettings: "clientSettings"
        case .service: "service"
        case .status: "status"
        case .user: "user"
        case .signature: "signature"
        case .setupDone: "setupDone"
        case .timePermit: "timePermit"
        case .passOne: "pass1"
        case .passTwo: "pass2"
        case .authenticate: "mpinAuthenticate"
        case .host: "host"
        case .authorityClientSecret: "dta2.clientSecret"
        case .authorityTimePermit: "dta2.timePermit"
        case .authorityStatus: "dta2.status"
        }
    }
}

/// `(Request) async -> Response` of the public listener.
package struct PublicRouter: Sendable {
    private let backend: Backend
    private let gate: Gate

    package init(backend: Backend, gate: Gate) {
        self.backend = backend
        self.gate = gate
    }

    /// What must be refused before the body is read; nil lets the request come.
    package func refusal(ofHead request: Request) -> Response? { gate.refusal(of: request) }

    package func respond(to request: Request) async -> Response {
        var response: Response
        if let refusal = gate.refusal(of: request) ?? gate.refusal(ofBody: request) {
            response = refusal
        } else if request.method == "OPTIONS", request.path?.first == "rps" {
            response = Response(200, json: message("options request"))
        } else if let route = request.path.flatMap(PublicRoute.init) {
            response = await guarded { try await answer(request, route) }
            response.route = route.name
        } else {
            response = request.path?.first == "dta2" ? TrustedAuthority.notFound() : Information.notFound()
        }
        response.headers += gate.headers(for: request)
        if response.status == 401 { response.headers.append(("WWW-Authenticate", "Authenticate")) }
        return response
    }

    private func answer(_ request: Request, _ route: PublicRoute) async throws -> Response {
        guard request.method == route.method else {
            return Response(405, json: message("Method Not Allowed"))
        }
        switch route {
        case .clientSettings: return try Information(backend: backend).clientSettings()
        case .service: return Information(backend: backend).service()
        case .status: return Information(backend: backend).status()
        case .user(let pending):
            return try await Registration(backend: backend).register(
                request, pending: pending.flatMap(octets))
        case .signature(let hex):
            return try await withMPinID(hex) {
                try await Issuing(backend: backend).signature(request, mpinID: $0)
            }
        case .setupDone: return Response(200)
        case .timePermit(let hex):
            return try await withMPinID(hex) {
                try await TimePermits(backend: backend).timePermit(request, mpinID: $0)
            }
        case .passOne: return try await FirstPass(backend: backend).pass(request)
        case .passTwo: return try await SecondPass(backend: backend).pass(request)
        case .authenticate: return try await RelyingParty(backend: backend).authenticate(request)
        case .host: return try await HostJoining(backend: backend).join(request)
        case .authorityClientSecret:
            return try await TrustedAuthority(backend: backend).clientSecret(request)
        case .authorityTimePermit: return try await TrustedAuthority(backend: backend).timePermit(request)
        case .authorityStatus: return TrustedAuthority(backend: backend).status()
        }
    }

    /// A path whose last component is no hexadecimal text is no path of ours.
    private func withMPinID(
        _ hex: String, _ body: ([UInt8]) async throws -> Response
    ) async throws -> Response {
        guard let mpinID = octets(hex), !mpinID.isEmpty else {
            return Information.notFound()
        }
        return try await body(mpinID)
    }
}

/// Whatever a handler could not do becomes an answer, and the reason a note for the log.
func guarded(_ body: () async throws -> Response) async -> Response {
    do {
        return try await body()
    } catch let refusal as Refusal {
        return refusal.response
    } catch let error as StorageError {
        return unavailable(error)
    } catch AuthorityError.book(let error) {
        return unavailable(error)
    } catch {
        return Response(500, json: message("Internal Server Error"), notes: [LogField("error", "\(error)")])
    }
}

private func unavailable(_ error: StorageError) -> Response {
    var response = Response(
        503, json: message("Service Unavailable"), notes: [LogField("error", "storage \(error)")])
    response.headers.append(("Retry-After", "1"))
    return response
}
