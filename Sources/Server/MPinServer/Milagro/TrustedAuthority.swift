// SPDX-License-Identifier: Apache-2.0
// The HTTP interface of D-TA 2 below /dta2/, where clients fetch their second shares.
import MPin
import MPinDatabase
import MPinWire
import Secrets

/// Answers `clientSecret` and `timePermit`, for requests that this server's RPS signed, and `status`.
struct TrustedAuthority: Sendable {
    let context: ServiceContext

    private var signed: SignedRequests {
        SignedRequests(application: context.secrets.application, now: context.effects.now())
    }

    /// The second share of a client secret, in the form that the registration requires. Only identities that
    /// the RPS has activated get one.
    func clientSecret(_ request: Request) async throws -> Response {
        let id = try signed.clientSecret(request)
        try await context.storage.checkClock()
        guard let identity = try await context.storage.identity(id: id), identity.revokedAt == nil else {
            return .authority(403, "FORBIDDEN")
        }
        do {
            let answer = try await share(of: identity.description)
            return Response(200, json: json(answer), notes: [LogField("id", id8(id))])
        } catch AuthorityError.refused {
            return .authority(403, "FORBIDDEN")
        }
    }

    private func share(of description: IdentityDescription) async throws -> ClientSecretResponse {
        switch description.kind {
        case .host(let enrolment):
            return ClientSecretResponse(
                sealedShare: try await context.sealedShare(.second, of: description.id, for: enrolment))
        case .bound, .unbound:
            let share = try await context.authority.clientSecretShare(.second, of: description.id)
            return ClientSecretResponse(clientSecret: plainOctets(share))
        }
    }

    /// The second share of a permit. The date must be today by this machine's clock or, in the first hour of
    /// the day, yesterday: the client may repeat the `date` of the first share.
    func timePermit(_ request: Request) async throws -> Response {
        let id = try signed.timePermit(request)
        try await context.storage.checkClock()
        let wanted = request.query["date"].flatMap { UInt32($0) } ?? context.effects.now().day
        // The authority's database may lack a revocation that was interrupted.
        guard let identity = try await context.storage.identity(id: id), identity.revokedAt == nil else {
            return .authority(410, "REVOKED")
        }
        do {
            let permit = try await context.timePermitShare(.second, of: id, date: wanted)
            return Response(
                200, json: json(DTATimePermitResponse(timePermit: permit)), notes: [LogField("id", id8(id))])
        } catch AuthorityError.refused {
            return .authority(410, "REVOKED")
        }
    }

    func status() -> Response { .authorityStatus(since: context.started) }

    /// The answer for every unknown path below /dta2/.
    static func notFound() -> Response { .authority(404, "NOT FOUND") }
}
