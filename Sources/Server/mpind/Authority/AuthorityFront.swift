// SPDX-License-Identifier: Apache-2.0
// A server that is a distributed trust authority (D-TA) for a Milagro server of another operator: it speaks
// HTTP, and the authority's process has the master secret.
import Logging
import MPinDatabase
import MPinServer
import NIOCore

struct AuthorityFront {
    private let settings: DaemonSettings
    private let role: AuthorityRole
    private let inherited: [InheritedSocket]
    private let tls: ServerTLS?
    private let storage: ServerDatabase
    private let book: AuthorityBook?
    private let router: AuthorityRouter
    private let monitoring: Monitoring
    private let requestLog: RequestLog

    /// Opens everything that it needs; throws `SetupError` before anything listens.
    init(_ settings: DaemonSettings, _ role: AuthorityRole) async throws {
        inherited = try begin(settings)
        let metrics = Metrics()
        requestLog = RequestLog(metrics)
        tls = try ServerTLS(settings, metrics)
        let application = try ApplicationKey(credentials: role.credentials)
        storage = try Databases.openStorage(settings, metrics)
        let authority: any Authority
        (authority, book) = try await openAuthority(settings)
        monitoring = Monitoring(of: storage, authority, needsAuthority: true, metrics)
        router = AuthorityRouter(
            half: role.half, application: application, authority: authority, storage: storage,
            effects: .daemon, metrics: metrics)
        (self.settings, self.role) = (settings, role)
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in PlainLog() }
        let sockets = try Sockets(settings, inherited)
        defer { sockets.remove() }
        let clients = ClientListeners(sockets: sockets, settings: settings, tls: tls, log: requestLog)
            .served(router)
        let admin = Served(
            .admin, sockets.admin, routes: .refusing(AuthorityRouter.noUsers(role)),
            limiter: .undivided(requestLog))
        // Each signed request leaves a nonce.
        let housekeeping = Housekeeping { [storage] in _ = try? await storage.purge() }
        do {
            try await serve(
                clients + [admin] + monitoring.served(sockets, tls: tls, log: requestLog),
                monitoring.readiness,
                settings: settings, beside: [housekeeping, Reloading(tls: tls, page: nil)], log: requestLog)
        } catch {
            await close()
            throw error
        }
        await close()
        log("stopped", [])
    }

    private func close() async {
        await storage.close()
        await book?.close()
    }
}
