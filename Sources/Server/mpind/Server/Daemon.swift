// SPDX-License-Identifier: Apache-2.0
// The running daemon: opens what it needs, listens, and ends gracefully.
import Glibc
import Logging
import MPinDatabase
import MPinServer
import MPinWire
import NIOCore
import ServiceLifecycle
import UnixSignals

struct Daemon {
    private let settings: DaemonSettings
    private let storage: ServerDatabase
    /// nil if the authority is in another process.
    private let book: AuthorityBook?
    private let context: ServiceContext
    private let inherited: [InheritedSocket]
    private let tls: ServerTLS?
    private let page: ServedPage
    private let monitoring: Monitoring
    private let log: RequestLog

    /// Opens everything that it needs; throws `SetupError` before anything listens.
    init(_ settings: DaemonSettings) async throws {
        inherited = try begin(settings)
        let metrics = Metrics()
        log = RequestLog(metrics)
        tls = try ServerTLS(settings, metrics)
        page = try ServedPage(
            settings.page, isHTTPS: settings.isHTTPS, keep: { KeptBuffer(buffer: ByteBuffer(bytes: $0)) },
            warn: { logWarning($0) })
        let secrets = try ServerSecrets(folder: settings.data)
        storage = try Databases.openStorage(settings, metrics)
        let authority: any Authority
        (authority, book) = try await openAuthority(settings)
        monitoring = Monitoring(of: storage, authority, metrics)
        self.settings = settings
        self.context = try ServiceContext(
            storage: storage, authority: authority,
            serverSecret: try await authority.serverSecret(
                waitingAt: settings.authoritySocket ?? settings.authorityData), secrets: secrets,
            settings: ServiceSettings(
                publicURL: settings.publicURL?.origin, registration: settings.registration,
                requestsOTP: settings.requestsOTP, compatibility: settings.compatibility,
                service: settings.service, lives: settings.lives),
            effects: .daemon,
            outgoing: { [asking = Asking()] request in
                await RequestQueue.suspended { await asking.ask(request) }
            }, metrics: metrics)
    }

    /// Serves until a signal ends it.
    func run() async throws {
        LoggingSystem.bootstrap { _ in PlainLog() }
        do { try await serve() } catch {
            await close()
            throw error
        }
        await close()
        mpind.log("stopped", [])
    }

    private func close() async {
        await storage.close()
        await book?.close()
    }

    private func serve() async throws {
        try await context.checkSecrets()
        await context.tellRevocations()
        let sockets = try Sockets(settings, inherited)
        defer { sockets.remove() }
        let housekeeping = Housekeeping { [context] in
            await context.purge()
            await context.tellRevocations()
        }
        try await mpind.serve(
            served(sockets), monitoring.readiness, settings: settings,
            beside: [housekeeping, Reloading(tls: tls, page: page)], log: log)
    }

    private func served(_ sockets: Sockets) -> [Served] {
        let clients = ClientListeners(sockets: sockets, settings: settings, tls: tls, log: log)
            .served(PublicRouter(context: context, policy: settings.policy, page: page))
        let admin = Served(
            .admin, sockets.admin, routes: .admin(AdminRouter(context: context)), limiter: .undivided(log))
        return clients + [admin] + application(sockets)
            + monitoring.served(sockets, tls: tls, log: log)
    }

    private func application(_ sockets: Sockets) -> [Served] {
        guard let socket = sockets.rpa else { return [] }
        let router = ExternalRPARouter(
            context: context,
            application: settings.compatibility?.application ?? ExternalRPA(),
            listener: socket.listener)
        return [Served(.rpa, socket, routes: .rpa(router), limiter: .undivided(log))]
    }
}
