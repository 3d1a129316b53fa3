// SPDX-License-Identifier: Apache-2.0
// How long a connection may take for the head of a request, and how long that may be.
import HTTPTypes
import MPinService
import NIOCore
import NIOHTTPTypes

/// Stands where octets come in, before whatever reads HTTP. Closes a connection whose first head is not whole
/// five seconds after it began, or a later one five seconds after its first octet. Refuses a head that is
/// longer than any client's.
final class HeadClock: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    static let time = TimeAmount.seconds(5)
    /// Octets. Heads of the clients that we know have two thousand.
    static let length = 16_384

    private enum Phase { case idle, head, body, broken }

    private let refused: @Sendable (Refusals.Kind) -> Void
    /// What is left of this head's length.
    private var left = 0
    private var phase = Phase.idle
    private var deadline = NIODeadline.distantFuture
    private var check: Scheduled<Void>?

    init(refused: @escaping @Sendable (Refusals.Kind) -> Void) { self.refused = refused }

    func handlerAdded(context: ChannelHandlerContext) { begin(context) }

    func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

    /// The last octet goes on by itself: if a request ends with it nothing is left, and if none does, then it
    /// belongs to the next head.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var octets = unwrapInboundIn(data)
        if octets.readableBytes > 1, let most = octets.readSlice(length: octets.readableBytes - 1) {
            pass(most, context)
        }
        pass(octets, context)
    }

    private func pass(_ octets: ByteBuffer, _ context: ChannelHandlerContext) {
        var octets = octets
        if phase == .idle { begin(context) }
        if phase == .head {
            let part = octets.readSlice(length: min(left, octets.readableBytes)) ?? ByteBuffer()
            left -= part.readableBytes
            context.fireChannelRead(wrapInboundOut(part))
            if phase == .head, octets.readableBytes > 0 { return refuseLongHead(context) }
        }
        guard phase != .broken, octets.readableBytes > 0 else { return }
        context.fireChannelRead(wrapInboundOut(octets))
    }

    /// A head that is too long is made one that no client may send, so that it is answered as such: by 400.
    private func refuseLongHead(_ context: ChannelHandlerContext) {
        refused(.long)
        context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: [0])))
        if phase != .broken { context.close(promise: nil) }
    }

    private func begin(_ context: ChannelHandlerContext) {
        phase = .head
        left = HeadClock.length
        deadline = .now() + HeadClock.time
        if check == nil { look(context) }
    }

    /// One task for a connection, which comes back as often as heads begin.
    private func look(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            check = nil
            guard phase == .head else { return }
            guard deadline <= .now() else { return look(context) }
            refused(.slow)
            context.triggerUserOutboundEvent(BreakOff(), promise: nil)
        }
    }

    fileprivate func headIsWhole() { phase = .body }

    fileprivate func requestIsWhole() { phase = .idle }

    /// This is no HTTP: it is answered, and the connection ends.
    fileprivate func headIsBroken() { phase = .broken }
}

/// Stands behind whatever reads HTTP, and tells the clock what came of the octets.
final class HeadWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private var clock: HeadClock?

    func handlerAdded(context: ChannelHandlerContext) {
        clock = try? context.pipeline.syncOperations.handler(type: HeadClock.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { clock = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: clock?.headIsWhole()
        case .body: break
        case .end: clock?.requestIsWhole()
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        clock?.headIsBroken()
        context.fireErrorCaught(error)
    }
}
