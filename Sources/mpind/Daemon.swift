// SPDX-License-Identifier: Apache-2.0
// The running daemon: opens what it needs, listens, and ends gracefully.
import Glibc
import Hummingbird
import Logging
import MPinService

struct Daemon {
    private let settings: DaemonSettings
    private let stores: Stores
    private let backend: Backend

    /// Fails with a sentence before anything listens.
    init(_ settings: DaemonSettings) throws {
        _ = umask(0o077)
        neverDumpCore()
        try checkPrivateFolder(settings.data)
        try checkPrivateFolder(settings.authorityData)
        try lockFolder(settings.data)
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

    /// Serves until a signal ends it, and then no longer than the requests under way.
    func run() async throws {
        LoggingSystem.bootstrap { _ in PlainLog() }
        let ready = Countdown(settings.listen.count + 1) {
            mpind.log("ready", settings.listen.map { LogField("listen", $0.text) })
            notifyManager("READY=1")
        }
        let router = Routes.public(PublicRouter(backend: backend, gate: settings.gate))
        var admin = adminApplication(ready)
        for listener in settings.listen { admin.addServices(application(router, at: listener, ready)) }
        admin.addServices(Housekeeping(backend: backend))
        do {
            try await admin.runService()
        } catch {
            await stores.close()
            throw SetupError("Cannot listen: \(error). Is the address taken, or the socket's folder missing?")
        }
        await stores.close()
        removeSockets()
        mpind.log("stopped", [])
    }

    private func application(_ routes: Routes, at listener: Listener, _ ready: Countdown)
        -> some ApplicationProtocol
    {
        let address: BindAddress =
            switch listener {
            case .unix(let path): .unixDomainSocket(path: path)
            case .tcp(let host, let port): .hostname(host, port: port)
            }
        return Application(
            responder: routes.responder(), server: .http1(configuration: .init(idleTimeout: .seconds(120))),
            configuration: .init(address: address),
            onServerRunning: { _ in
                if case .unix(let path) = listener { openSocket(path, mode: 0o666) }
                ready.count()
            }, logger: Logger(label: "mpind"))
    }

    private func adminApplication(_ ready: Countdown) -> Application<CallbackResponder<Connection>> {
        let path = settings.adminSocket
        return Application(
            responder: Routes.admin(AdminRouter(backend: backend)).responder(),
            server: .http1(configuration: .init(idleTimeout: .seconds(30))),
            configuration: .init(address: .unixDomainSocket(path: path)),
            onServerRunning: { _ in
                giveToAdministrators(path)
                ready.count()
            }, logger: Logger(label: "mpind"))
    }

    private func removeSockets() {
        for listener in settings.listen {
            if case .unix(let path) = listener { _ = unsafe unlink(path) }
        }
        _ = unsafe unlink(settings.adminSocket)
    }
}
