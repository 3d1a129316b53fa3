// SPDX-License-Identifier: Apache-2.0
// Closes a connection at once, without TLS's closing messages, so that a client cannot delay it.
import NIOCore

/// The event that closes a connection at once.
struct BreakOff: Sendable {}

/// The handler of that event. It is the one nearest to the network, so that no other handler delays the
/// close.
final class Breaker: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is BreakOff else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        context.close(promise: promise)
    }
}

extension Channel {
    func breakOff() { triggerUserOutboundEvent(BreakOff(), promise: nil) }
}
