// SPDX-License-Identifier: Apache-2.0
// The running daemon: opens what it needs, listens, and ends gracefully.
import Glibc
import Hummingbird
import Logging
import MPinService
import ServiceLifecycle
import UnixSignals

struct Daemon {
    private let settings: DaemonSettings
    private let stores: Stores
    private let backend: Backend

    /// Fails with a sentence before anything listens.
    init(_ settings: DaemonSettings) throws {
        _ = umask(0o077)
        neverDumpCore()
        try closeMemory()
        raiseDescriptors()
        try checkPrivateFolder(settings.data)
        try checkPrivateFolder(settings.authorityData)
        try lockFolder(settings.data)
        if settings.authorityData != settings.data { try lockFolder(settings.authorityData) }
        try checkFree(settings.adminSocket)
        for case .unix(let path) in settings.listen { try checkFree(path) }
        let secrets = try ServerSecrets(folder: settings.data)
        let stores = try Stores(settings)
        let authority = try MasterFile(folder: settings.authorityData)
            .authority(book: stores.book, now: Effects.system.now)
        self.settings = settings
        self.stores = stores
        self.backend = try Backend(
            storage: stores.storage, authority: authority, secrets: secrets,
            settings: ServiceSettings(
                publicURL: settings.publicURL?.origin, registration: settings.registration),
            effects: .system)
    }

    /// Serves until a signal ends it, and then no longer than the requests under way and ten seconds.
    func run() async throws {
        LoggingSystem.bootstrap { _ in PlainLog() }
        do { try await backend.tellRevocations() } catch {
            await stores.close()
            throw SetupError("Cannot tell the authority who is revoked: \(error).")
        }
        let ready = Countdown(settings.listen.count + 1) {
            mpind.log("ready", settings.listen.map { LogField("listen", $0.text) })
            notifyManager("READY=1")
        }
        let router = Routes.public(PublicRouter(backend: backend, gate: settings.gate))
        var admin = adminApplication(ready)
        for listener in settings.listen { admin.addServices(application(router, at: listener, ready)) }
        admin.addServices(Housekeeping(backend: backend))
        var group = ServiceGroupConfiguration(
            services: [admin], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "mpind"))
        group.maximumGracefulShutdownDuration = .seconds(10)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch is CancellationError {
            // The ten seconds are over.
        } catch {
            await stores.close()
            guard !ready.isDone else { throw SetupError("A listener ended: \(error).") }
            throw SetupError("Cannot listen: \(error). Is the address taken, or the socket's folder missing?")
        }
        await stores.close()
        removeSockets()
        mpind.log("stopped", [])
    }

    private func application(
        _ routes: Routes, at listener: Listener, _ ready: Countdown
    ) -> some ApplicationProtocol {
        let connections = connectionsForEach(of: settings.listen.count)
        return switch listener {
        case .unix(let path):
            application(routes, at: .unixDomainSocket(path: path), connections: connections) {
                setMode(path, 0o666)
                ready.count()
            }
        case .tcp(let host, let port):
            application(routes, at: .hostname(host, port: port), connections: connections) { ready.count() }
        }
    }

    private func adminApplication(_ ready: Countdown) -> Application<CallbackResponder<Connection>> {
        let path = settings.adminSocket
        let routes = Routes.admin(AdminRouter(backend: backend))
        return application(routes, at: .unixDomainSocket(path: path), connections: 32) {
            giveToAdministrators(path)
            ready.count()
        }
    }

    /// Bounded in its connections, so that strangers cannot take the descriptors that the database needs.
    private func application(
        _ routes: Routes, at address: BindAddress, connections: Int, opened: @escaping @Sendable () -> Void
    ) -> Application<CallbackResponder<Connection>> {
        let logger = Logger(label: "mpind")
        return Application(
            responder: routes.responder(), server: .http1(configuration: .init(idleTimeout: .seconds(120))),
            configuration: .init(
                address: address, availableConnectionsDelegate: .maximum(connections, logger: logger)),
            onServerRunning: { _ in opened() }, logger: logger)
    }

    private func removeSockets() {
        for listener in settings.listen {
            if case .unix(let path) = listener { _ = unsafe unlink(path) }
        }
        _ = unsafe unlink(settings.adminSocket)
    }
}
