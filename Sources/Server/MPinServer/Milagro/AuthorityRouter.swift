// SPDX-License-Identifier: Apache-2.0
// The routes of a server that is only a D-TA: the same paths and answers as a Milagro D-TA.
package import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

/// Answers the requests to a separate D-TA. It decides by the RPS's signatures and the authority's database:
/// one share for each id, permits for today. It has no users.
package struct AuthorityRouter: Sendable {
    /// Every route: for an RPS, and for clients that get their share from D-TA 2.
    private static let endpoints: [Endpoint<AuthorityRouter>] = [
        .init(.get, "/" + serverSecret, needsProof: true) {
            try await $0.serverSecret(until: $0.signed.serverSecret($1))
        },
        .init(.get, "/clientSecret", needsProof: true) {
            try await $0.clientSecret($0.signed.clientSecret($1))
        },
        .init(.get, "/timePermit") { try await $0.timePermit($0.signed.timePermit($1), $1) },
        .init(.get, "/timePermits") { try await $0.timePermits($1) },
        .init(.get, "/status") { router, _ in .authorityStatus(since: router.started) },
        .init(.get, "/time") { router, _ in
            Response(200, json: json(TimeMessage(time: router.effects.now().isoText)))
        },
        .init(.get, "/apiSettings") { _, _ in Response(200, json: json(SettingsMessage())) },
    ]
    private static let serverSecret = "serverSecret"

    private let half: ShareIndex
    private let application: ApplicationKey
    private let authority: any Authority
    /// Remembers which requests for the server secret were granted.
    private let storage: ServerDatabase
    /// An RPS may request the same permit many times.
    private let permits = PermitCache()
    private let effects: Effects
    private let started: UnixTime

    package init(
        half: ShareIndex, application: ApplicationKey, authority: any Authority, storage: ServerDatabase,
        effects: Effects, metrics: Metrics = Metrics()
    ) {
        self.half = half
        self.application = application
        self.authority = MeasuredAuthority(authority: authority, metrics: metrics)
        self.storage = storage
        self.effects = effects
        self.started = effects.now()
    }

    /// The refusal of a request's head, before the body is read; nil lets it pass.
    package func refusal(ofHead request: Request) -> Response? {
        // Web pages of any origin may send requests that their RPS has signed, except for the server secret.
        request.origin != nil && request.path == [AuthorityRouter.serverSecret] ? Response(403) : nil
    }

    package func respond(to request: Request) async -> Response {
        var response: Response
        let found = request.path.flatMap { Endpoint.find($0, in: AuthorityRouter.endpoints) }
        if let refusal = refusal(ofHead: request) {
            response = refusal
        } else if request.method == "OPTIONS" {
            response = .authority(200, "options request")
        } else if let endpoint = found?.endpoint {
            response =
                request.method == endpoint.method.rawValue
                ? await guarded { try await endpoint.answer(self, request, nil) }
                : .authority(405, "METHOD NOT ALLOWED")
            response.route = RouteName(half == .first ? "dta1" : "dta2", of: endpoint)
            response.isProven = endpoint.needsProof
        } else {
            response = .authority(404, "NOT FOUND")
        }
        response.headers.append(("Access-Control-Allow-Origin", "*"))
        if response.status == 401 { response.headers.append(("WWW-Authenticate", "Authenticate")) }
        return response
    }

    /// The answer to every administrator's request to such a server.
    package static func noUsers(_ role: AuthorityRole) -> Response {
        Response(
            403,
            json: message("This server is only a trust authority (role = \(role.name)): it has no users")
        )
    }

    private var signed: SignedRequests { SignedRequests(application: application, now: effects.now()) }

    /// Answers each signed request only once, so a captured one is useless.
    private func serverSecret(until expires: String) async throws -> Response {
        // The share comes first: if the authority is unreachable, the RPS may repeat the same request.
        let share = try await authority.serverSecretShare(half)
        let nonce = QuestionNonce(sha256: [UInt8]("mpin dta \(half.rawValue) server secret \(expires)".utf8))
        guard try await storage.takeNonce(nonce) else {
            return .authority(403, "USED BEFORE", notes: [LogField("refused", "replay")])
        }
        let message = ServerSecretMessage(
            serverSecret: HexOctets(plainOctets(share)), startTime: started.isoText)
        return Response(200, json: json(message))
    }

    private func clientSecret(_ id: IdentityHash) async throws -> Response {
        let notes = [LogField("id", id8(id))]
        try await storage.checkClock()
        do {
            let share = try await authority.clientSecretShare(half, of: id)
            return Response(
                200, json: json(ClientSecretResponse(clientSecret: plainOctets(share))), notes: notes)
        } catch AuthorityError.refused {
            return .authority(403, "ISSUED BEFORE", notes: notes + [LogField("refused", "issued")])
        }
    }

    private func timePermit(_ id: IdentityHash, _ request: Request) async throws -> Response {
        try await storage.checkClock()
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

    /// An RPS requests permits for a week or two, and again if a day is missing. Permits are never made ahead
    /// of time, so the answer has only the current days.
    private func timePermits(_ request: Request) async throws -> Response {
        guard request.query["count"].flatMap({ Int($0) }) != nil else { return .authority(403, "FORBIDDEN") }
        let id = try signed.timePermit(request)
        try await storage.checkClock()
        let now = effects.now()
        var found: [String: HexOctets] = [:]
        for date in permitDays(now) {
            do {
                found[String(date)] = HexOctets(
                    try await permits.share(half, of: id, date: date, at: now, from: authority))
            } catch AuthorityError.refused {
                // By the authority's clock, the first hour of the day may be over.
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
    /// The keys are dates: days since 1970, in decimal.
    let timePermits: [String: HexOctets]
    let message = "OK"
}

/// The time, by which an RPS corrects its clock.
private struct TimeMessage: Encodable {
    let time: String

    private enum CodingKeys: String, CodingKey { case time = "Time" }
}

/// The settings without which an RPS does not start. The URLs are empty: there is no store of permits.
private struct SettingsMessage: Encodable {
    let timePermitsStorageURL = ""
    let managementConsoleURL = ""
}
