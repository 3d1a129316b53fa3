// SPDX-License-Identifier: Apache-2.0
// GET signature: the share of D-TA 1 for an active registration, and the signed query for D-TA 2's share.
import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

struct Issuing: Sendable {
    let context: ServiceContext

    /// For how many seconds the signed query is valid.
    private static let signatureLife: Int64 = 60
    private static let pushTokenLimit = 1024

    /// 400 without regOTT; 401 if there is no active registration with it, whatever the reason.
    func signature(_ request: Request, mpinID: [UInt8]) async throws -> Response {
        guard let regOTT = request.query[QueryKey.regOTT] else { return .badRequest }
        let pushToken = request.query[QueryKey.pushToken] ?? ""
        guard areSame(presentable(pushToken, limit: Issuing.pushTokenLimit), pushToken) else {
            return Response(400, json: message("Push identifiers are text of at most 1024 octets"))
        }
        let id = identityHash(mpinID)
        try await context.storage.checkClock()
        let regOTTHash = RegistrationTicketHash(of: regOTT)
        // The key includes regOTT, so clients that do not know it cannot block the registration.
        let answer = try await context.issuing(id.octets + regOTTHash.octets) {
            try await issued(request, id: id, regOTTHash: regOTTHash, pushToken: pushToken)
        }
        return answer ?? Response(401, notes: [LogField("id", id8(id)), LogField("refused", "raced")])
    }

    private func issued(
        _ request: Request, id: IdentityHash, regOTTHash: RegistrationTicketHash, pushToken: String
    ) async throws -> Response {
        let pending = try await context.storage.registration(id: id, regOTTHash: regOTTHash)
        guard let pending, pending.active, isRequest(request, pending.description.kind) else {
            return Response(401, notes: [LogField("id", id8(id))])
        }
        let body: [UInt8]
        do { body = json(try await answer(pending.description)) } catch AuthorityError.refused {
            // An earlier answer was lost. The user can register again, with the same code.
            try await context.storage.dropRegistration(id: id, regOTTHash: regOTTHash)
            return Response(503, notes: [LogField("id", id8(id)), LogField("refused", "issued")])
        }
        // From here on, only the write that activates the mpinId can fail.
        let issue = try await context.storage.issue(
            id: id, regOTTHash: regOTTHash, deviceEpoch: context.secrets.deviceEpoch, pushToken: pushToken
        ) { [self] issue in registered(issue, request) }
        guard let issue else {
            return Response(401, notes: [LogField("id", id8(id)), LogField("refused", "raced")])
        }
        return Response(
            200, json: body,
            notes: [LogField("id", id8(id)), LogField("user", pending.description.userID)]
                + (await context.tellBook(of: issue.revoked)))
    }

    /// Whether the request names the question of the registration. A host's share is sealed under that
    /// question, so a client that names another one, or none, could not open it.
    private func isRequest(_ request: Request, _ kind: IdentityKind) -> Bool {
        let a = request.query[QueryKey.a].flatMap(octets)
        switch kind {
        case .host(let enrolment): return a == enrolment.a.octets
        case .bound, .unbound: return a == nil
        }
    }

    private func answer(_ description: IdentityDescription) async throws -> SignatureResponse {
        switch description.kind {
        case .host(let enrolment):
            let sealed = try await context.sealedShare(.first, of: description.id, for: enrolment)
            return SignatureResponse(sealedShare: sealed, params: try params(description, a: enrolment.a))
        case .bound:
            let key = try context.secrets.deviceKey(context.secrets.deviceEpoch, of: description.id)
            return try await plain(description, deviceKey: key?.withOctets(plainOctets))
        case .unbound: return try await plain(description, deviceKey: nil)
        }
    }

    private func plain(
        _ description: IdentityDescription, deviceKey: [UInt8]?
    ) async throws -> SignatureResponse {
        let share = try await context.authority.clientSecretShare(.first, of: description.id)
        return SignatureResponse(
            clientSecretShare: plainOctets(share), deviceKey: deviceKey,
            params: try params(description, a: nil))
    }

    /// The query that a client appends unchanged to D-TA 2's address.
    private func params(_ description: IdentityDescription, a: QuestionHash?) throws -> String {
        let expires = (context.effects.now() + Issuing.signatureLife).isoText
        let hash = hexText(description.id)
        let application = context.secrets.application
        let signature = try application.signature("clientSecret" + application.id + hash + expires)
        let query =
            "\(QueryKey.mobile)=1&\(QueryKey.expires)=\(percentEncoded(expires))"
            + "&\(QueryKey.appID)=\(application.id)&\(QueryKey.hashMPinID)=\(hash)"
            + "&\(QueryKey.signature)=\(signature)&\(QueryKey.hashUserID)="
        return a.map { query + "&\(QueryKey.a)=\(hexText($0))" } ?? query
    }

    private func registered(_ issue: Issue, _ request: Request) -> AuditEvent {
        let description = issue.identity.description
        return AuditEvent(
            kind: "registration", subject: id8(description.id), host: description.hostName ?? "",
            source: request.peer.source, attempt: request.attempt,
            fields: [AuditField("user", description.userID)]
                + issue.revoked.map { AuditField("revoked", id8($0)) })
    }
}
