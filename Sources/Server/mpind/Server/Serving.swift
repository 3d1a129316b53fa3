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
    /// Listeners that share their limits on connections have the same limiter.
    let limiter: ConnectionLimiter
    /// nil: plain HTTP.
    var tls: ServerTLS?

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

    private let log: RequestLog
    private let readiness: Readiness
    /// One for each listener.
    private let acceptors: NIOThreadPool

    init(_ served: [Served], ready: Countdown, readiness: Readiness, log: RequestLog) {
        self.served = served
        self.ready = ready
        self.readiness = readiness
        self.log = log
        acceptors = NIOThreadPool(numberOfThreads: served.count)
    }

    func run() async throws {
        acceptors.start()
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let writing = Task { await writeLog() }
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
        log.write(isEnd: true)
    }

    private func serve(_ all: [Served]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in all { group.addTask { try await serve(one) } }
            try await group.waitForAll()
        }
    }

    private func writeLog() async {
        while (try? await Task.sleep(for: .seconds(5))) != nil { log.write() }
    }

    private func serve(_ one: Served) async throws {
        let acceptor = try Acceptor(one.socket)
        let (connections, admitted) = AsyncStream.makeStream(of: AdmittedConnection.self)
        _ = listen(one.socket.descriptor, backlog)
        ready.count()
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await withThrowingDiscardingTaskGroup { group in
                    group.addTask {
                        defer { admitted.finish() }
                        try await acceptors.runIfActive {
                            try acceptor.run(while: { one.limiter.hasRoom }) { connection in
                                if let connection = admit(connection, one) { admitted.yield(connection) }
                            }
                        }
                    }
                    for await connection in connections { group.addTask { await serve(connection, one) } }
                }
            } onGracefulShutdown: {
                if !one.outlastsOthers { end(one.limiter, acceptor) }
            }
        } onCancel: {
            acceptor.stop()
        }
    }

    /// Admits a connection; otherwise closes it and returns nil.
    private func admit(_ connection: AcceptedConnection, _ one: Served) -> AdmittedConnection? {
        guard let id = one.limiter.admit(connection.client) else {
            connection.refuse()
            log.refused(.share, connection.client)
            return nil
        }
        return AdmittedConnection(
            descriptor: connection.descriptor, client: connection.client, limiter: one.limiter, id: id)
    }

    private func serve(_ connection: AdmittedConnection, _ one: Served) async {
        log.metrics.opened(one.kind)
        defer {
            one.limiter.remove(connection.id)
            log.metrics.closed(one.kind)
        }
        let http = HTTP1Channel(
            responder: one.routes.responder(for: connection, log: log),
            configuration: .init(
                additionalChannelHandlers: [ParsedHeads(), CloseAfterOutputHandler(), NoSniff()],
                idleTimeout: .seconds(120),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: HeadDeadline.mostOctets, maxHeaderListSize: HeadDeadline.mostOctets,
                    maxHeaderFieldCount: 256)))
        let served = try? await ClientBootstrap(group: one.tls == nil ? threads : Serving.handshakes)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .withConnectedSocket(connection.descriptor) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CloseAtOnceHandler())
                    if let tls = one.tls {
                        let handler = try tls.handler { noteHandshake($0, of: connection) }
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    let deadline = HeadDeadline { log.refused($0, connection.client) }
                    try channel.pipeline.syncOperations.addHandler(deadline)
                }.flatMap { http.setup(channel: channel, logger: logger) }
            }
        guard let served else { return }
        one.limiter.attach(connection.id) { [channel = served.channel] in channel.close($0) }
        await http.handle(value: served, logger: logger)
    }

    private func noteHandshake(_ failure: HandshakeFailure?, of connection: AdmittedConnection) {
        log.metrics.shookHands(failure == nil ? .completed : .failed)
        if let failure { log.refused(.handshake, connection.client, because: failure.rawValue) }
    }

    /// First stops accepting: new connections wait in the socket's queue, for the next mpind if the socket is
    /// systemd's. A connection that was just accepted has a moment to send its request. Then idle ones are
    /// closed, and the others when they are answered.
    private func end(_ limiter: ConnectionLimiter, _ acceptor: Acceptor) {
        acceptor.stop()
        threads.next().scheduleTask(in: .milliseconds(250)) {
            limiter.end()
            acceptor.close()
        }
    }
}
