// SPDX-License-Identifier: Apache-2.0
// Serves sockets that are already bound, and ends without losing anybody who has connected.
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// One socket and what is served there.
struct Served: Sendable {
    let socket: ListeningSocket
    let routes: Routes
    /// How many at a time, so that strangers cannot take the descriptors that the database needs.
    let connections: Int
}

/// All listeners, which begin and end together.
struct Serving: Service {
    let served: [Served]
    let ready: Countdown
    private let logger = Logger(label: "mpind")
    private let threads = MultiThreadedEventLoopGroup.singleton

    init(_ served: [Served], ready: Countdown) {
        self.served = served
        self.ready = ready
    }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for one in served { group.addTask { try await serve(one) } }
                try await group.waitForAll()
            }
        } onGracefulShutdown: {
            notifyManager("STOPPING=1")
        }
    }

    private func serve(_ one: Served) async throws {
        let http = HTTP1Channel(
            responder: one.routes.responder(),
            configuration: .init(additionalChannelHandlers: [Parting()], idleTimeout: .seconds(120)))
        let quiescing = ServerQuiescingHelper(group: threads)
        let server = try await ServerBootstrap(group: threads)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        Intake(), AvailableConnectionsChannelHandler(maxConnections: one.connections),
                        quiescing.makeServerChannelHandler(channel: channel),
                    ])
                }
            }
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .bind(one.socket.descriptor) { http.setup(channel: $0, logger: logger) }
        _ = listen(one.socket.descriptor, backlog)
        ready.count()
        try await withGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { group in
                try await server.executeThenClose { connections in
                    for try await connection in connections {
                        group.addTask { await http.handle(value: connection, logger: logger) }
                    }
                }
            }
        } onGracefulShutdown: {
            end(server.channel, quiescing)
        }
    }

    /// First nobody is accepted any more: whoever connects from now on waits in the socket's queue, for the
    /// next mpind if the socket is systemd's. A connection just accepted has a moment to bring its request;
    /// then idle ones end, and the others when they are answered.
    private func end(_ server: any Channel, _ quiescing: ServerQuiescingHelper) {
        server.triggerUserOutboundEvent(Intake.End(), promise: nil)
        server.setOption(.autoRead, value: false).whenComplete { _ in
            server.eventLoop.scheduleTask(in: .milliseconds(250)) { quiescing.initiateShutdown(promise: nil) }
        }
    }
}

/// Whoever was told the last does not stay: a moment to read it, then the connection is closed from here.
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

/// Between the socket and whoever asks for the next connection.
private final class Intake: ChannelOutboundHandler {
    typealias OutboundIn = Never
    struct End: Sendable {}

    private var isOpen = true

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is End else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        isOpen = false
        promise?.succeed()
    }

    func read(context: ChannelHandlerContext) { if isOpen { context.read() } }
}
