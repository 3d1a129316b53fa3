// SPDX-License-Identifier: Apache-2.0
// How connections are closed so that a client cannot delay it.
import MPinServer
import NIOCore
import NIOExtras

/// The event that closes a connection at once, without TLS's closing messages.
struct CloseAtOnce: Sendable {}

/// The handler of that event. It is the one nearest to the network, so that no other handler delays the
/// close.
final class CloseAtOnceHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is CloseAtOnce else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        context.close(promise: promise)
    }
}

extension Channel {
    func closeAtOnce() { triggerUserOutboundEvent(CloseAtOnce(), promise: nil) }

    func close(_ closing: ConnectionLimiter.Closing) {
        switch closing {
        case .atOnce: closeAtOnce()
        case .whenAnswered:
            eventLoop.execute { [pipeline] in
                pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
        }
    }
}

/// Closes a connection a second after its output was closed, so that the client can read the last answer but
/// cannot stay.
final class CloseAfterOutputHandler: ChannelOutboundHandler, RemovableChannelHandler, Sendable {
    typealias OutboundIn = Any

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output {
            let channel = context.channel
            context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        }
        context.close(mode: mode, promise: promise)
    }
}
