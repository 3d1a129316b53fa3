// SPDX-License-Identifier: Apache-2.0
// Applications whose users log in with an authorization code: authorize URLs, sessions, codes and their
// check.
import MPin
import MPinDatabase
import MPinWire

/// The part of an OpenID Connect provider that an application needs if it gets the code from the user's
/// device itself. It learns who the users are from that code, never from a redirect. While no application is
/// registered, these paths answer 404.
struct Applications: Sendable {
    let context: ServiceContext

    /// POST authzurl: an authorize URL of the application that the request names.
    func authorizeURL(_ request: Request) async throws -> Response {
        let application = try await application(of: request)
        guard let uri = application.redirectURIs.first else { throw StorageError.corrupt }
        let query = [
            "client_id=" + application.clientID, "redirect_uri=" + percentEncoded(uri), "response_type=code",
            "scope=openid", "state=" + (try context.randomText(16)),
        ]
        let url = (context.settings.publicURL ?? "") + Route.authorize + "?" + query.joined(separator: "&")
        return Response(
            200, json: json(AuthorizeURLResponse(authorizeURL: url)),
            notes: [LogField("app", application.name)])
    }

    /// POST <authorizeURL>: opens a session. Client id and redirect URI must equal the registered ones, octet
    /// by octet.
    func open(_ request: Request) async throws -> Response {
        guard try await isOffered() else { return Information.notFound() }
        guard let application = try await named(request.query["client_id"]),
            let uri = request.query["redirect_uri"],
            application.redirectURIs.contains(where: { areSame($0, uri) }),
            request.query["response_type"] == "code",
            request.query["scope"]?.split(separator: " ").contains("openid") == true
        else { return Response(400, json: message("Not a request of a registered application")) }
        let wid = try context.randomText(16)
        let notes = [LogField("app", application.name)]
        let session = ApplicationSession(
            wid: wid, clientID: application.clientID, redirectURI: uri, requester: Requester(request.peer))
        guard try await context.storage.openApplicationSession(session) else {
            return .tooManySessions(notes: notes)
        }
        let place = context.settings.publicURL ?? ""
        // The webOTT has no use: the client that holds the access code gets the authorization code itself.
        let answer = AuthorizeResponse(
            webOTT: try context.randomText(16), qrURL: place + "#" + wid, accessURL: place + Route.access)
        return Response(200, json: json(answer), notes: notes)
    }

    /// POST authtoken: 200 for a live code of this application whose identity has the given userID. Each
    /// check uses the code up, whatever its result.
    func verify(_ request: Request) async throws -> Response {
        let application = try await application(of: request)
        guard let asked = try? decoded(AuthorizationCodeRequest.self, from: request.body) else {
            return .badRequest
        }
        let notes = [LogField("app", application.name)]
        guard let code = try await context.storage.takeCode(AuthorizationCodeHash(of: asked.code)) else {
            return Response(401, json: message("Not authorized"), notes: notes)
        }
        let isGood =
            code.isLive && code.identity.standing == .granted && code.clientID == application.clientID
            && areSame(code.identity.description.userID, asked.userID)
        let id = id8(code.identity.description.id)
        try await context.storage.append(
            AuditEvent(
                kind: "code.redeem", subject: id, source: request.peer.source, attempt: request.attempt,
                fields: [
                    AuditField("verdict", isGood ? "granted" : "refused"),
                    AuditField("user", code.identity.description.userID), AuditField("app", application.name),
                ]))
        return Response(
            isGood ? 200 : 401, json: message(isGood ? "Authorized" : "Not authorized"),
            notes: notes + [LogField("id", id)])
    }

    /// Whether any application is registered.
    private func isOffered() async throws -> Bool {
        try await !context.storage.applications(limit: 1).isEmpty
    }

    func named(_ clientID: String?) async throws -> ApplicationRecord? {
        guard let clientID, octets(clientID)?.count == 16 else { return nil }
        return try await context.storage.application(clientID: clientID)
    }

    /// The application that the request names; if it names none, the only registered one.
    private func application(of request: Request) async throws -> ApplicationRecord {
        let applications = try await context.storage.applications(limit: 2)
        guard let only = applications.first else { throw Refusal(response: Information.notFound()) }
        if request.clientID == nil, applications.count == 1 { return only }
        guard let application = try await named(request.clientID) else {
            throw Refusal(response: Response(400, json: message("Name the application")))
        }
        return application
    }
}
