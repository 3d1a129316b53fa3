// SPDX-License-Identifier: Apache-2.0
// A D-TA for an RPS of somebody else's: what a Milagro D-TA answers, at the paths where it does.
package import MPin
package import MPinStorage
import MPinWire
import Secrets

/// `(Request) async -> Response` of a D-TA run apart. It decides by what the RPS has signed, and by the
/// authority's book: a share once for each id, permits for today. It knows no user.
package struct AuthorityRouter: Sendable {
    private let half: ShareIndex
    private let application: ApplicationKey
    private let authority: any Authority
    /// Remembers which wishes for the server secret were granted.
    private let storage: any Storage
    /// Its RPS may ask again and again.
    private let permits = PermitCache()
    private let effects: Effects
    private let started: UnixTime

    package init(
        half: ShareIndex, application: ApplicationKey, authority: any Authority, storage: any Storage,
        effects: Effects
    ) {
        self.half = half
        self.application = application
        self.authority = authority
        self.storage = storage
        self.effects = effects
        self.started = effects.now()
    }

    /// Where clients of D-TA 2 and an RPS ask.
    private enum Route: String {
        case serverSecret, clientSecret, timePermit, timePermits, status, time, apiSettings
    }

    /// What must be refused before the body is read.
    package func refusal(ofHead request: Request) -> Response? {
        // Pages of any origin may ask for what their RPS has signed for them; this no page is to see.
        request.origin != nil && request.path == [Route.serverSecret.rawValue] ? Response(403) : nil
    }

    package func respond(to request: Request) async -> Response {
        var response: Response
        if let refusal = refusal(ofHead: request) {
            response = refusal
        } else if request.method == "OPTIONS" {
            response = .authority(200, "options request")
        } else if let route = route(of: request) {
            response =
                request.method == "GET"
                ? await guarded { try await answer(request, route) } : .authority(405, "METHOD NOT ALLOWED")
            response.route = "dta\(half.rawValue).\(route)"
        } else {
            response = .authority(404, "NOT FOUND")
        }
        response.headers.append(("Access-Control-Allow-Origin", "*"))
        if response.status == 401 { response.headers.append(("WWW-Authenticate", "Authenticate")) }
        return response
    }

    /// What administrators of such a server hear.
    package static func noUsers(_ role: AuthorityRole) -> Response {
        Response(
            403,
            json: message("This server is a trusted authority alone (role = \(role.name)): it knows no users")
        )
    }

    private func route(of request: Request) -> Route? {
        guard let path = request.path, path.count == 1 else { return nil }
        return Route(rawValue: path[0])
    }

    private func answer(_ request: Request, _ route: Route) async throws -> Response {
        let signed = SignedRequests(application: application, now: effects.now())
        switch route {
        case .serverSecret: return try await serverSecret(until: try signed.serverSecret(request))
        case .clientSecret: return try await clientSecret(try signed.clientSecret(request))
        case .timePermit: return try await timePermit(try signed.timePermit(request), request)
        case .timePermits:
            guard request.query["count"].flatMap({ Int($0) }) != nil else {
                return .authority(403, "FORBIDDEN")
            }
            return try await timePermits(try signed.timePermit(request))
        case .status: return .authorityStatus(since: started)
        case .time: return Response(200, json: json(TimeMessage(time: effects.now().isoText)))
        case .apiSettings: return Response(200, json: json(SettingsMessage()))
        }
    }

    /// Once for each signature: whoever saw one on its way gets nothing for it.
    private func serverSecret(until expires: String) async throws -> Response {
        // An RPS repeats its request while the authority is away, and may: nothing was given until here.
        let share = try await authority.serverSecretShare(half)
        let nonce = sha256([UInt8]("mpin dta \(half.rawValue) server secret \(expires)".utf8))
        guard try await storage.takeNonce(nonce) else {
            return .authority(403, "USED BEFORE", notes: [LogField("refused", "replay")])
        }
        let message = ServerSecretMessage(
            serverSecret: HexOctets(plainOctets(share)), startTime: started.isoText)
        return Response(200, json: json(message))
    }

    private func clientSecret(_ id: [UInt8]) async throws -> Response {
        let notes = [LogField("id", id8(id))]
        do {
            let share = try await authority.clientSecretShare(half, of: id)
            return Response(
                200, json: json(ClientSecretResponse(clientSecret: plainOctets(share))), notes: notes)
        } catch AuthorityError.refused {
            return .authority(403, "ISSUED BEFORE", notes: notes + [LogField("refused", "issued")])
        }
    }

    private func timePermit(_ id: [UInt8], _ request: Request) async throws -> Response {
        let date = request.query["date"].flatMap { UInt32($0) } ?? effects.now().day
        do {
            let permit = try await permits.share(
                half, of: id, date: date, at: effects.now(), from: authority)
            return Response(
                200, json: json(DTATimePermitResponse(timePermit: permit)), notes: [LogField("id", id8(id))])
        } catch AuthorityError.refused {
            return .authority(410, "REVOKED")
        }
    }

    /// An RPS asks for a week or two, and asks again where a day is missing: no permit is made ahead of time.
    private func timePermits(_ id: [UInt8]) async throws -> Response {
        let now = effects.now()
        var found: [String: HexOctets] = [:]
        for date in permitDays(now) {
            do {
                found[String(date)] = HexOctets(
                    try await permits.share(half, of: id, date: date, at: now, from: authority))
            } catch AuthorityError.refused {
                // The authority's clock may have left yesterday already.
            }
        }
        guard !found.isEmpty else { return .authority(410, "REVOKED") }
        return Response(
            200, json: json(TimePermitsMessage(timePermits: found)), notes: [LogField("id", id8(id))])
    }
}

private struct ServerSecretMessage: Encodable {
    let serverSecret: HexOctets
    let startTime: String
    let message = "OK"
}

private struct TimePermitsMessage: Encodable {
    /// By the day's number, in decimal.
    let timePermits: [String: HexOctets]
    let message = "OK"
}

/// An RPS sets its clock by it.
private struct TimeMessage: Encodable {
    let time: String

    private enum CodingKeys: String, CodingKey { case time = "Time" }
}

/// An RPS does not start without it. There is no store of permits made ahead.
private struct SettingsMessage: Encodable {
    let timePermitsStorageURL = ""
    let managementConsoleURL = ""
}
