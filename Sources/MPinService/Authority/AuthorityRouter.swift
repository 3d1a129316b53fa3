// SPDX-License-Identifier: Apache-2.0
// A D-TA for an RPS of somebody else's: what a Milagro D-TA answers, at the paths where it does.
package import MPin
package import MPinStorage
import MPinWire
import Secrets

/// `(Request) async -> Response` of a D-TA run apart. It decides by what the RPS has signed, and by the
/// authority's book: a share once for each id, permits for today. It knows no user.
package struct AuthorityRouter: Sendable {
    /// Where clients of D-TA 2 and an RPS ask: every route of it.
    private static let endpoints: [Endpoint<AuthorityRouter>] = [
        .init(.get, "/" + serverSecret) { try await $0.serverSecret(until: $0.signed.serverSecret($1)) },
        .init(.get, "/clientSecret") { try await $0.clientSecret($0.signed.clientSecret($1)) },
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
    /// Remembers which wishes for the server secret were granted.
    private let storage: any LoginStorage
    /// Its RPS may ask again and again.
    private let permits = PermitCache()
    private let effects: Effects
    private let started: UnixTime

    package init(
        half: ShareIndex, application: ApplicationKey, authority: any Authority, storage: any LoginStorage,
        effects: Effects
    ) {
        self.half = half
        self.application = application
        self.authority = authority
        self.storage = storage
        self.effects = effects
        self.started = effects.now()
    }

    /// What must be refused before the body is read.
    package func refusal(ofHead request: Request) -> Response? {
        // Pages of any origin may ask for what their RPS has signed for them; this no page is to see.
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
            response.route = "dta\(half.rawValue).\(endpoint.components.joined())"
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

    private var signed: SignedRequests { SignedRequests(application: application, now: effects.now()) }

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
    private func timePermits(_ request: Request) async throws -> Response {
        guard request.query["count"].flatMap({ Int($0) }) != nil else { return .authority(403, "FORBIDDEN") }
        let id = try signed.timePermit(request)
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
