// SPDX-License-Identifier: Apache-2.0
// Ends a connection at once: without the farewell of TLS, for which nobody who holds a place may keep it.
import NIOCore

/// The event that asks for it.
struct BreakOff: Sendable {}

/// Stands nearest to the network, so that nothing delays the end.
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
