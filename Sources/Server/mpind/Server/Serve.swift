// SPDX-License-Identifier: Apache-2.0
// The start of a server, whatever its role.
import Glibc
import Logging
import MPinDatabase
import MPinServer
import MPinWire
import ServiceLifecycle
import UnixSignals

/// Prepares the process before anything is opened. Returns the sockets that systemd handed over.
func begin(_ settings: DaemonSettings) throws(SetupError) -> [InheritedSocket] {
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
func openAuthority(
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

/// Serves all listeners until a signal ends it. The requests under way are finished, for ten seconds at most.
func serve(
    _ served: [Served], _ readiness: Readiness, settings: DaemonSettings, beside others: [any Service],
    log requestLog: RequestLog
) async throws {
    let ready = Countdown(served.count) {
        log("ready", settings.addresses)
        notifyManager("READY=1")
    }
    var group = ServiceGroupConfiguration(
        services: others + [Serving(served, ready: ready, readiness: readiness, log: requestLog)],
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
    convenience init(_ limits: ConnectionLimits, _ log: RequestLog) {
        self.init(limits) { log.refused(.gaveWay, $0) }
    }

    /// A limiter without shares for single sources.
    static func undivided(_ log: RequestLog) -> ConnectionLimiter {
        ConnectionLimiter(ConnectionLimits(undivided: 32), log)
    }
}

extension Effects {
    /// The system's effects, except that other requests are handled during a pause.
    static let daemon = Effects(
        now: system.now, random: system.random, pause: { try await RequestQueue.suspended(system.pause) })
}
