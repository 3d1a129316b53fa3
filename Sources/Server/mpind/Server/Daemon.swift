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

/// A server of logins; or one that is a distributed trust authority (D-TA) for a Milagro server of another
/// operator. It speaks HTTP; the master secret may be in the process of `mpind authority`.
struct Daemon {
    private let settings: DaemonSettings
    private let inherited: [InheritedSocket]
    private let tls: ServerTLS?
    private let storage: ServerDatabase
    /// nil if the authority is in another process.
    private let book: AuthorityBook?
    private let readiness: Readiness
    private let log: RequestLog
    /// What answers clients.
    private let router: any RequestRouter
    private let admin: Routes
    /// nil if this server is only an authority.
    private let context: ServiceContext?
    private let page: ServedPage?

    /// The files of a role.
    private enum RoleFiles {
        case logins(ServerSecrets, ServedPage)
        case authority(AuthorityRole, ApplicationKey)

        init(_ settings: DaemonSettings) throws(SetupError) {
            if let role = settings.role {
                self = .authority(role, try ApplicationKey(credentials: role.credentials))
            } else {
                let page = try ServedPage(
                    settings.page, isHTTPS: settings.isHTTPS,
                    keep: { KeptBuffer(buffer: ByteBuffer(bytes: $0)) }, warn: { logWarning($0) })
                self = .logins(try ServerSecrets(folder: settings.data), page)
            }
        }
    }

    /// Opens everything that it needs; throws `SetupError` before anything listens.
    init(_ settings: DaemonSettings) async throws {
        self.settings = settings
        inherited = try Daemon.prepareProcess(settings)
        let metrics = Metrics()
        log = RequestLog(metrics)
        tls = try ServerTLS(settings, metrics)
        let files = try RoleFiles(settings)
        storage = try Databases.openStorage(settings, metrics)
        let authority: any Authority
        (authority, book) = try await Daemon.openAuthority(settings)
        readiness = Readiness(
            storage: storage, authority: authority, needsAuthority: settings.role != nil, metrics: metrics)
        switch files {
        case .logins(let secrets, let page):
            let context = try await Daemon.context(settings, storage, authority, secrets, metrics)
            router = PublicRouter(context: context, policy: settings.policy, page: page)
            admin = Routes(router: AdminRouter(context: context))
            (self.context, self.page) = (context, page)
        case .authority(let role, let application):
            router = AuthorityRouter(
                half: role.half, application: application, authority: authority, storage: storage,
                effects: .daemon, metrics: metrics)
            admin = Routes(router: RefusingRouter(answer: AuthorityRouter.noUsers(role)))
            (context, page) = (nil, nil)
        }
    }

    /// Prepares the process before anything is opened. Returns the sockets that systemd handed over.
    private static func prepareProcess(_ settings: DaemonSettings) throws(SetupError) -> [InheritedSocket] {
        _ = umask(0o077)
        // Until `Reloading` waits for it: an early reload must not end the process.
        _ = signal(SIGHUP, SIG_IGN)
        neverDumpCore()
        try closeMemory()
        raiseDescriptors()
        let inherited = try inheritedSockets()
        try checkPrivateFolder(settings.data)
        try lockFolder(settings.data)
        return inherited
    }

    /// The authority, and its book if it is in this process.
    private static func openAuthority(
        _ settings: DaemonSettings
    ) async throws(SetupError) -> (any Authority, AuthorityBook?) {
        if let socket = settings.authoritySocket {
            return (try await RemoteAuthority(waitingAt: socket), nil)
        }
        let folder = settings.authorityData
        try checkPrivateFolder(folder)
        if folder != settings.data { try lockFolder(folder) }
        let book = try Databases.openBook(folder)
        return (try MasterFile(folder: folder).authority(book: book, now: Effects.system.now), book)
    }

    private static func context(
        _ settings: DaemonSettings, _ storage: ServerDatabase, _ authority: any Authority,
        _ secrets: ServerSecrets, _ metrics: Metrics
    ) async throws -> ServiceContext {
        let authorityPath = settings.authoritySocket ?? settings.authorityData
        return try ServiceContext(
            storage: storage, authority: authority,
            serverSecret: try await authority.serverSecret(waitingAt: authorityPath), secrets: secrets,
            settings: ServiceSettings(
                publicURL: settings.publicURL?.origin, registration: settings.registration,
                requestsOTP: settings.requestsOTP, compatibility: settings.compatibility,
                service: settings.service, lives: settings.lives),
            effects: .daemon,
            outgoing: { [requests = OutgoingRequests()] request in
                await RequestQueue.suspended { await requests.send(request) }
            }, metrics: metrics)
    }
}

extension Daemon {
    /// Serves until a signal ends it.
    func run() async throws {
        LoggingSystem.bootstrap { _ in PlainLog() }
        var failure: (any Error)?
        do { try await serve() } catch { failure = error }
        await storage.close()
        await book?.close()
        if let failure { throw failure }
        mpind.log("stopped", [])
    }

    /// Serves all listeners until a signal ends it. The requests under way are finished, for ten seconds at
    /// most.
    private func serve() async throws {
        try await context?.checkSecrets()
        await context?.tellRevocations()
        let sockets = try Sockets(settings, inherited)
        defer { sockets.remove() }
        let served = clients(sockets) + others(sockets)
        let ready = Countdown(served.count) {
            mpind.log("ready", settings.addresses)
            notifyManager("READY=1")
        }
        var group = ServiceGroupConfiguration(
            services: [
                Housekeeping(work: keepHouse), Reloading(tls: tls, page: page),
                Serving(served, ready: ready, readiness: readiness, log: log),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "mpind"))
        group.maximumGracefulShutdownDuration = .seconds(10)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch is CancellationError {
            // The ten seconds are over.
        } catch {
            throw SetupError(ready.isDone ? "A listener ended: \(error)." : "Cannot listen: \(error).")
        }
    }

    private func keepHouse() async {
        if let context {
            await context.purge()
            await context.tellRevocations()
        } else {
            // Each signed request leaves a nonce.
            _ = try? await storage.purge()
        }
    }

    /// The listeners for clients and those for proxies.
    private func clients(_ sockets: Sockets) -> [Served] {
        let queue = RequestQueue(RequestLimits(processors: System.coreCount))
        let total = settings.proxyListen.isEmpty ? connections : connections / 2
        let limiter = ConnectionLimiter(ConnectionLimits(total: total), log)
        let ofProxies = ConnectionLimiter(ConnectionLimits(undivided: total), log)
        let forwarding = Forwarding(
            proxies: TrustedProxies(settings.trustedProxies),
            limiter: ConnectionLimiter(ConnectionLimits(total: total), log))
        let routes = Routes(router: router, queue: queue, lines: .proven)
        let behindProxies = Routes(router: router, queue: queue, forwarding: forwarding, lines: .proven)
        return sockets.public.map {
            Served(
                kind: .public, socket: $0, routes: routes, limiter: limiter,
                tls: $0.listener.isTCP ? tls : nil)
        }
            + sockets.proxy.map {
                Served(
                    kind: .proxy, socket: $0, routes: behindProxies, limiter: ofProxies,
                    tls: $0.listener.isTCP ? tls : nil)
            }
    }

    /// The listeners for administrators, an external RPA and monitoring.
    private func others(_ sockets: Sockets) -> [Served] {
        var served = [
            Served(kind: .admin, socket: sockets.admin, routes: admin, limiter: .undivided(log))
        ]
        if let socket = sockets.rpa, let context {
            let router = ExternalRPARouter(
                context: context, externalRPA: settings.compatibility?.externalRPA ?? ExternalRPA(),
                listener: socket.listener)
            served.append(
                Served(kind: .rpa, socket: socket, routes: Routes(router: router), limiter: .undivided(log)))
        }
        if let socket = sockets.metrics {
            // Programs ask here every few seconds. Only an address that other machines can reach has TLS.
            let routes = Routes(router: MetricsRouter(readiness, at: socket.listener), lines: .none)
            served.append(
                Served(
                    kind: .metrics, socket: socket, routes: routes, limiter: .undivided(log),
                    tls: socket.listener.isDistant ? tls : nil))
        }
        return served
    }
}

extension DaemonSettings {
    /// The listeners' addresses, for the log.
    fileprivate var addresses: [LogField] {
        (role.map { [LogField("role", $0.name)] } ?? [])
            + location.listen.map { LogField("listen", setting: $0.text) }
            + location.proxyListen.map { LogField("proxy-listen", setting: $0.text) }
            + [rpaListen].compactMap(\.self).map { LogField("rpa-listen", setting: $0.text) }
            + [location.metricsListen].compactMap(\.self).map { LogField("metrics-listen", setting: $0.text) }
    }
}

extension ConnectionLimiter {
    fileprivate convenience init(_ limits: ConnectionLimits, _ log: RequestLog) {
        self.init(limits) { log.refused(.gaveWay, $0) }
    }

    /// A limiter without shares for single sources.
    fileprivate static func undivided(_ log: RequestLog) -> ConnectionLimiter {
        ConnectionLimiter(ConnectionLimits(undivided: 32), log)
    }
}

extension Effects {
    /// The system's effects, except that other requests are handled during a pause.
    fileprivate static let daemon = Effects(
        now: system.now, random: system.random, pause: { try await RequestQueue.suspended(system.pause) })
}
