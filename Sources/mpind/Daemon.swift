// SPDX-License-Identifier: Apache-2.0
// The running daemon: opens what it needs, listens, and ends gracefully.
import Glibc
import Logging
import MPinSQL
import MPinService
import NIOCore
import ServiceLifecycle
import UnixSignals

struct Daemon {
    private let settings: DaemonSettings
    private let storage: SQLStorage
    /// Where the authority is in this process.
    private let book: SQLAuthorityBook?
    private let backend: Backend
    private let inherited: [InheritedSocket]
    private let tls: ServerTLS?
    private let page: PageShelf
    private let journal = Journal()

    /// Fails with a sentence before anything listens.
    init(_ settings: DaemonSettings) async throws {
        _ = umask(0o077)
        // Until somebody waits for it: a reload that comes early ends nothing.
        _ = signal(SIGHUP, SIG_IGN)
        neverDumpCore()
        try closeMemory()
        raiseDescriptors()
        inherited = try inheritedSockets()
        try checkPrivateFolder(settings.data)
        try lockFolder(settings.data)
        tls = try ServerTLS(settings)
        page = try PageShelf(
            settings.page, isHTTPS: settings.isHTTPS, keep: { KeptBuffer(buffer: ByteBuffer(bytes: $0)) },
            warn: { say("warning: \($0)") })
        let secrets = try ServerSecrets(
            folder: settings.data, SecretOpening(passphrase: settings.passphrase()))
        storage = try openStorage(settings.data)
        let authority: any Authority
        (authority, book) = try await Daemon.authority(settings)
        self.settings = settings
        self.backend = try Backend(
            storage: storage, authority: authority,
            serverSecret: try await authority.serverSecret(), secrets: secrets,
            settings: ServiceSettings(
                publicURL: settings.publicURL?.origin, registration: settings.registration,
                requestsOTP: settings.requestsOTP, compatibility: settings.compatibility),
            effects: .daemon,
            outgoing: { [asking = Asking()] request in
                await TurnGate.aside { await asking.ask(request) }
            })
    }

    private static func authority(
        _ settings: DaemonSettings
    ) async throws(SetupError) -> (any Authority, SQLAuthorityBook?) {
        if let socket = settings.authoritySocket {
            return (try await RemoteAuthority(waitingAt: socket), nil)
        }
        let folder = settings.authorityData
        try checkPrivateFolder(folder)
        if folder != settings.data { try lockFolder(folder) }
        let book = try openBook(folder)
        return (
            try MasterFile(folder: folder, SecretOpening(passphrase: settings.passphrase())).authority(
                book: book, now: Effects.system.now),
            book
        )
    }

    /// Serves until a signal ends it, and then no longer than the requests under way and ten seconds.
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
        try await backend.checkDeviceKeys()
        await backend.tellRevocations()
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
                Housekeeping(backend: backend), Reloading(tls: tls, page: page),
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
        let router = PublicRouter(backend: backend, gate: settings.gate, page: page)
        let places = settings.proxyListen.isEmpty ? connections : connections / 2
        let door = Door(ConnectionLimits(total: places), privileged: privilegedUsers(), journal)
        let proxies = Door(ConnectionLimits(undivided: places), privileged: [], journal)
        let forwarding = Forwarding(trusted: settings.trustedProxies)
        let shares = Places(ConnectionLimits(total: places), journal)
        let open = sockets.public.map { served($0, .public(router, turns), door) }
        let behind = sockets.proxy.map {
            served($0, .public(router, turns, by: forwarding, places: shares), proxies)
        }
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
