// SPDX-License-Identifier: Apache-2.0
// The routes of the administrators' socket: users, hosts, applications and the audit trail. The socket's mode
// decides who may open it; every change is recorded with the caller's uid and pid.
import MPinWire

/// Answers the requests of the administrators' socket.
package struct AdminRouter: Sendable {
    /// Every route of this socket.
    private static let endpoints: [Endpoint<ServiceContext>] = [
        .init(.get, AdminRoute.users) { context, _ in try await AdminUsers(context: context).list() },
        .init(.post, AdminRoute.users) { try await AdminUsers(context: $0).add($1) },
        .init(.post, AdminRoute.showUser) { try await AdminUsers(context: $0).show($1) },
        .init(.post, AdminRoute.endCode) { try await AdminUsers(context: $0).endCode($1) },
        .init(.post, AdminRoute.revokeUser) { try await AdminUsers(context: $0).revoke($1) },
        .init(.post, AdminRoute.removeUser) { try await AdminUsers(context: $0).remove($1) },
        .init(.post, AdminRoute.unlockUser) { try await AdminUsers(context: $0).unlock($1) },
        .init(.post, AdminRoute.confirmUser) { try await AdminUsers(context: $0).confirm($1) },
        .init(.post, AdminRoute.suspendUser) { try await AdminUsers(context: $0).suspend($1) },
        .init(.post, AdminRoute.resumeUser) { try await AdminUsers(context: $0).resume($1) },
        .init(.get, AdminRoute.hosts) { context, _ in try await AdminHosts(context: context).list() },
        .init(.post, AdminRoute.hosts) { try await AdminHosts(context: $0).add($1) },
        .init(.post, AdminRoute.rotateHost) { try await AdminHosts(context: $0).rotate($1) },
        .init(.post, AdminRoute.removeHost) { try await AdminHosts(context: $0).remove($1) },
        .init(.get, AdminRoute.applications) { context, _ in
            try await AdminApplications(context: context).list()
        },
        .init(.post, AdminRoute.applications) { try await AdminApplications(context: $0).add($1) },
        .init(.post, AdminRoute.removeApplication) { try await AdminApplications(context: $0).remove($1) },
        .init(.post, AdminRoute.audit) { try await AdminAudit(context: $0).read($1) },
    ]

    private let context: ServiceContext

    package init(context: ServiceContext) { self.context = context }

    package func respond(to request: Request) async -> Response {
        guard request.body.count <= Request.bodyLimit else { return RequestPolicy.tooLong }
        guard let path = request.path else { return Response(404, json: message("No such route")) }
        // Path and method together: another method is answered with 404, like an unknown path.
        let endpoint = AdminRouter.endpoints.first {
            $0.components == path && $0.method.rawValue == request.method
        }
        guard let endpoint else { return Response(404, json: message("No such route")) }
        var response = await guarded { try await endpoint.answer(context, request, nil) }
        response.route = RouteName("admin", of: endpoint)
        return response
    }
}
