// SPDX-License-Identifier: Apache-2.0
// The running daemon: opens what it needs, listens, and ends gracefully.
import Glibc
import Logging
import MPinService
import NIOCore
import ServiceLifecycle
import UnixSignals

struct Daemon {
    private let settings: DaemonSettings
    private let stores: Stores
    private let backend: Backend
    private let inherited: [InheritedSocket]
    private let tls: ServerTLS?
    private let journal = Journal()

    /// Fails with a sentence before anything listens.
    init(_ settings: DaemonSettings) throws {
        _ = umask(0o077)
        // Until somebody waits for it: a reload that comes early ends nothing.
        _ = signal(SIGHUP, SIG_IGN)
        neverDumpCore()
        try closeMemory()
        raiseDescriptors()
        inherited = try inheritedSockets()
        try checkPrivateFolder(settings.data)
        try checkPrivateFolder(settings.authorityData)
        try lockFolder(settings.data)
        if settings.authorityData != settings.data { try lockFolder(settings.authorityData) }
        tls = try ServerTLS(settings)
        let secrets = try ServerSecrets(folder: settings.data)
        let stores = try Stores(settings)
        let authority = try MasterFile(folder: settings.authorityData)
            .authority(book: stores.book, now: Effects.system.now)
        self.settings = settings
        self.stores = stores
        self.backend = try Backend(
            storage: stores.storage, authority: authority, secrets: secrets,
            settings: ServiceSettings(
                publicURL: settings.publicURL?.origin, registration: settings.registration,
                requestsOTP: settings.requestsOTP, compatibility: settings.compatibility),
            effects: .daemon,
            outgoing: { [asking = Asking()] request in
                await TurnGate.aside { await asking.ask(request) }
            })
    }

    /// Serves until a signal ends it, and then no longer than the requests under way and ten seconds.
    func run() async throws {
        LoggingSystem.bootstrap { _ in PlainLog() }
        do { try await serve() } catch {
            await stores.close()
            throw error
        }
        await stores.close()
        mpind.log("stopped", [])
    }

    private func serve() async throws {
        try await backend.checkDeviceKeys()
        do { try await backend.tellRevocations() } catch {
            throw SetupError("Cannot tell the authority who is revoked: \(error).")
        }
        let sockets = try Sockets(settings, inherited)
        defer { sockets.remove() }
        let services = served(sockets)
        let ready = Countdown(services.count) {
            mpind.log(
                "ready",
                settings.listen.map { LogField("listen", $0.text) }
                    + settings.proxyListen.map { LogField("proxy-listen", $0.text) })
            notifyManager("READY=1")
        }
        var group = ServiceGroupConfiguration(
            services: [
                Housekeeping(backend: backend), Reloading(tls: tls),
                Serving(services, ready: ready, journal: journal),
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

    private func served(_ sockets: Sockets) -> [Served] {
        let turns = TurnGate(TurnLimits(processors: System.coreCount))
        let router = PublicRouter(backend: backend, gate: settings.gate)
        let places = settings.proxyListen.isEmpty ? connections : connections / 2
        let door = Door(ConnectionLimits(total: places), privileged: privilegedUsers(), journal)
        let proxies = Door(ConnectionLimits(undivided: places), privileged: [], journal)
        let forwarding = Forwarding(trusted: settings.trustedProxies)
        let open = sockets.public.map { served($0, .public(router, turns), door) }
        let behind = sockets.proxy.map { served($0, .public(router, turns, by: forwarding), proxies) }
        let admin = Served(
            socket: sockets.admin, routes: .admin(AdminRouter(backend: backend)), door: undivided)
        return open + behind + [admin] + application(sockets)
    }

    private func served(_ socket: ListeningSocket, _ routes: Routes, _ door: Door) -> Served {
        Served(socket: socket, routes: routes, door: door, tls: socket.listener.isTCP ? tls : nil)
    }

    private func application(_ sockets: Sockets) -> [Served] {
        guard let socket = sockets.rpa else { return [] }
        let router = PartyRouter(
            backend: backend,
            application: settings.compatibility?.application ?? RelyingApplication(),
            listener: socket.listener)
        return [Served(socket: socket, routes: .rpa(router), door: undivided)]
    }

    /// For those of one kind.
    private var undivided: Door { Door(ConnectionLimits(undivided: 32), privileged: [], journal) }
}

extension Effects {
    /// Whoever pauses lets others have the turn.
    fileprivate static let daemon = Effects(
        now: system.now, random: system.random, pause: { try await TurnGate.aside(system.pause) })
}
