// SPDX-License-Identifier: Apache-2.0
// Serves sockets that are already bound, and shuts down without losing a connected client.
import Glibc
import HummingbirdCore
import Logging
import MPinServer
import NIOCore
import NIOPosix
import ServiceLifecycle

/// One socket and what is served there.
struct Served: Sendable {
    let kind: ListenerKind
    let socket: ListeningSocket
    let routes: Routes
    /// Listeners that share their limits on connections have the same door.
    let door: Door
    /// nil: plain HTTP.
    let tls: ServerTLS?

    init(
        _ kind: ListenerKind, _ socket: ListeningSocket, routes: Routes, door: Door, tls: ServerTLS? = nil
    ) {
        (self.kind, self.socket, self.routes) = (kind, socket, routes)
        (self.door, self.tls) = (door, tls)
    }

    /// Monitoring goes on until all other listeners have ended: it reports that they are ending.
    var outlastsOthers: Bool { kind == .metrics }
}

/// All listeners, which begin together, and of which all but that for monitoring end together.
struct Serving: Service {
    let served: [Served]
    let ready: Countdown
    private let logger = Logger(label: "mpind")
    private let threads = MultiThreadedEventLoopGroup.singleton
    /// TLS has its own threads, so that a flood of handshakes does not delay local logins.
    private static let handshakes = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)

    private let journal: Journal
    private let readiness: Readiness
    /// One for each listener.
    private let entrances: NIOThreadPool

    init(_ served: [Served], ready: Countdown, readiness: Readiness, journal: Journal) {
        self.served = served
        self.ready = ready
        self.readiness = readiness
        self.journal = journal
        entrances = NIOThreadPool(numberOfThreads: served.count)
    }

    func run() async throws {
        entrances.start()
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let writing = Task { await writeJournal() }
                defer { writing.cancel() }
                group.addTask { try await serve(served.filter { !$0.outlastsOthers }) }
                for one in served where one.outlastsOthers { group.addTask { try await serve(one) } }
                // Only an error ends monitoring before the others.
                try await group.next()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            readiness.end()
            notifyManager("STOPPING=1")
        }
        journal.write(isEnd: true)
    }

    private func serve(_ all: [Served]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in all { group.addTask { try await serve(one) } }
            try await group.waitForAll()
        }
    }

    private func writeJournal() async {
        while (try? await Task.sleep(for: .seconds(5))) != nil { journal.write() }
    }

    private func serve(_ one: Served) async throws {
        let entrance = try Entrance(one.socket)
        let (guests, taken) = AsyncStream.makeStream(of: Guest.self)
        _ = listen(one.socket.descriptor, backlog)
        ready.count()
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await withThrowingDiscardingTaskGroup { group in
                    group.addTask {
                        defer { taken.finish() }
                        try await entrances.runIfActive {
                            try entrance.receive(while: { one.door.hasRoom }) { visitor in
                                if let guest = one.door.admit(visitor) { taken.yield(guest) }
                            }
                        }
                    }
                    for await guest in guests { group.addTask { await serve(guest, one) } }
                }
            } onGracefulShutdown: {
                if !one.outlastsOthers { end(one.door, entrance) }
            }
        } onCancel: {
            entrance.stop()
        }
    }

    private func serve(_ guest: Guest, _ one: Served) async {
        journal.metrics.opened(one.kind)
        defer {
            one.door.leave(guest)
            journal.metrics.closed(one.kind)
        }
        let http = HTTP1Channel(
            responder: one.routes.responder(for: guest, door: one.door, journal: journal),
            configuration: .init(
                additionalChannelHandlers: [HeadWatch(), Parting(), NoSniff()], idleTimeout: .seconds(120)))
        let connection = try? await ClientBootstrap(group: one.tls == nil ? threads : Serving.handshakes)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .withConnectedSocket(guest.visitor.descriptor) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Breaker())
                    if let tls = one.tls {
                        let handler = try tls.handler { noteHandshake($0, of: guest) }
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    let clock = HeadClock { kind in
                        journal.refused(kind, source: guest.visitor.source, isPrivileged: guest.isPrivileged)
                    }
                    try channel.pipeline.syncOperations.addHandler(clock)
                }.flatMap { http.setup(channel: channel, logger: logger) }
            }
        guard let connection else { return }
        one.door.attach(connection.channel, to: guest)
        await http.handle(value: connection, logger: logger)
    }

    private func noteHandshake(_ failure: HandshakeFailure?, of guest: Guest) {
        journal.metrics.shookHands(failure == nil ? .completed : .failed)
        guard let failure else { return }
        journal.refused(
            .handshake, source: guest.visitor.source, isPrivileged: guest.isPrivileged,
            because: failure.rawValue)
    }

    /// First stops accepting: new connections wait in the socket's queue, for the next mpind if the socket is
    /// systemd's. A connection that was just accepted has a moment to send its request. Then idle ones are
    /// closed, and the others when they are answered.
    private func end(_ door: Door, _ entrance: Entrance) {
        entrance.stop()
        threads.next().scheduleTask(in: .milliseconds(250)) {
            door.close()
            entrance.close()
        }
    }
}

/// Closes a connection a second after its output was closed, so that the client can read the last answer but
/// cannot stay.
private final class Parting: ChannelOutboundHandler, RemovableChannelHandler, Sendable {
    typealias OutboundIn = Any

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output {
            let channel = context.channel
            context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        }
        context.close(mode: mode, promise: promise)
    }
}
