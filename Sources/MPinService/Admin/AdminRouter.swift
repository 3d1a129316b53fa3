// SPDX-License-Identifier: Apache-2.0
// The administrator's socket: users, hosts and applications. Its mode says who may open it; every act is
// recorded with the credentials of who did it.
import MPinStorage
import MPinWire

/// `(Request) async -> Response` of the admin socket.
package struct AdminRouter: Sendable {
    private let backend: ServiceContext

    package init(backend: ServiceContext) { self.backend = backend }

    package func respond(to request: Request) async -> Response {
        guard request.body.count <= Request.bodyLimit else { return RequestPolicy.tooLong }
        guard let path = request.path else { return Response(404, json: message("No such route")) }
        var response = await guarded { try await answer(request, "/" + path.joined(separator: "/")) }
        response.route = "admin." + path.dropFirst().joined(separator: ".")
        return response
    }

    private func answer(_ request: Request, _ path: String) async throws -> Response {
        let users = AdminUsers(backend: backend)
        let hosts = AdminHosts(backend: backend)
        let applications = AdminApplications(backend: backend)
        switch (request.method, path) {
        case ("GET", AdminRoute.users): return try await users.list()
        case ("POST", AdminRoute.users): return try await users.add(request)
        case ("POST", AdminRoute.showUser): return try await users.show(request)
        case ("POST", AdminRoute.revokeUser): return try await users.revoke(request)
        case ("POST", AdminRoute.unlockUser): return try await users.unlock(request)
        case ("POST", AdminRoute.confirmUser): return try await users.confirm(request)
        case ("POST", AdminRoute.suspendUser): return try await users.suspend(request)
        case ("POST", AdminRoute.resumeUser): return try await users.resume(request)
        case ("GET", AdminRoute.hosts): return try await hosts.list()
        case ("POST", AdminRoute.hosts): return try await hosts.add(request)
        case ("POST", AdminRoute.rotateHost): return try await hosts.rotate(request)
        case ("POST", AdminRoute.removeHost): return try await hosts.remove(request)
        case ("GET", AdminRoute.applications): return try await applications.list()
        case ("POST", AdminRoute.applications): return try await applications.add(request)
        case ("POST", AdminRoute.removeApplication): return try await applications.remove(request)
        case ("POST", AdminRoute.audit): return try await AdminAudit(backend: backend).read(request)
        default: return Response(404, json: message("No such route"))
        }
    }
}

extension ServiceContext {
    /// Records an administrator's act; one that cannot be recorded is not done.
    func record(_ kind: String, subject: String, request: Request, fields: [AuditField] = [])
        async throws
    {
        var fields = fields
        switch request.peer {
        case .local(let user, let process):
            fields += [AuditField("uid", String(user)), AuditField("pid", String(process))]
        case .address: break
        }
        try await storage.append(
            AuditEvent(kind: kind, subject: subject, source: request.peer.source, fields: fields))
    }
}
