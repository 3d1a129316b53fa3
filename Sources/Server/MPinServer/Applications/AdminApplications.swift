// SPDX-License-Identifier: Apache-2.0
// The handlers behind `mpind app`: add, remove, list.
import MPinDatabase
import MPinWire

struct AdminApplications: Sendable {
    let context: ServiceContext

    /// The most redirect URIs that one application may have.
    private static let limit = 16

    /// Adds an application; 409 if another one has its name.
    func add(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(AddApplicationRequest.self, from: request.body),
            isApplicationName(asked.app)
        else { return Response(400, json: message("An application's name has 1 to 64 ASCII characters")) }
        let uris = asked.redirectUris
        guard (1...AdminApplications.limit).contains(uris.count), uris.allSatisfy(isRedirectURI) else {
            let rule =
                "Give 1 to 16 redirect URIs; each is https, http to this machine, "
                + "or of the application's own scheme, "
                + "and has no '#'"
            return Response(400, json: message(rule))
        }
        let application = ApplicationRecord(
            clientID: try context.randomText(16), name: asked.app, redirectURIs: uris)
        let event = context.event(
            "app.add", subject: asked.app, request: request, fields: uris.map { AuditField("redirect", $0) })
        guard try await context.storage.addApplication(application, recording: event) else {
            return Response(409, json: message("There is an application of that name: \(asked.app)"))
        }
        return Response(200, json: json(listed(application)))
    }

    func remove(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(ApplicationRequest.self, from: request.body),
            isApplicationName(asked.app)
        else { return Response(400, json: message("Name the application")) }
        let event = context.event("app.remove", subject: asked.app, request: request)
        guard try await context.storage.removeApplication(asked.app, recording: event) else {
            return Response(404, json: message("There is no application of that name: \(asked.app)"))
        }
        return Response(200, json: json(asked))
    }

    func list() async throws -> Response {
        let applications = try await context.storage.applications(limit: 1000)
        return Response(200, json: json(ApplicationList(apps: applications.map(listed))))
    }

    private func listed(_ application: ApplicationRecord) -> ApplicationResponse {
        ApplicationResponse(
            app: application.name, clientId: application.clientID, redirectUris: application.redirectURIs)
    }
}

/// Whether `text` is 1 to 64 characters of printable ASCII, which a phone can show unchanged.
func isApplicationName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
}

/// Whether `text` is an absolute URI in visible ASCII without a fragment (RFC 6749, 3.1.2). `http` is allowed
/// only to a loopback address (RFC 8252, 7.3).
func isRedirectURI(_ text: String) -> Bool {
    guard text.utf8.count <= 512, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x23 }),
        let colon = text.utf8.firstIndex(of: 0x3a)
    else { return false }
    let scheme = text[..<colon].lowercased()
    let rest = text[colon...].dropFirst()
    let isScheme =
        scheme.utf8.first.map { (0x61...0x7a).contains($0) } ?? false
        && scheme.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
        }
    guard isScheme, rest.hasPrefix("/"), rest.utf8.count > 1 else { return false }
    switch scheme {
    case "https": return rest.hasPrefix("//") && rest.utf8.count > 2
    case "http":
        let authority = URLAuthority(beforeQuery: [UInt8](rest.utf8.dropFirst(2)))
        return rest.hasPrefix("//") && authority?.isThisMachine == true
    // Schemes of browsers cannot belong to an application.
    case "javascript", "data", "file", "about", "blob", "vbscript": return false
    default: return true
    }
}
