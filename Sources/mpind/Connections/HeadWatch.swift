// SPDX-License-Identifier: Apache-2.0
// Limits on the time and the length of a request's head.
import HTTPTypes
import MPinServer
import NIOCore
import NIOHTTPTypes

/// A handler before the HTTP parser. Closes a connection if its first head is not complete within five
/// seconds, or a later head within five seconds of its first octet. Refuses a head that is longer than any
/// client's.
final class HeadClock: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    static let time = TimeAmount.seconds(5)
    /// In octets. The heads of known clients have at most about two thousand.
    static let length = 16_384

    private enum Phase { case idle, head, body, broken }

    private let refused: @Sendable (Refusals.Kind) -> Void
    /// How many octets this head may still have.
    private var left = 0
    private var phase = Phase.idle
    private var deadline = NIODeadline.distantFuture
    private var check: Scheduled<Void>?

    init(refused: @escaping @Sendable (Refusals.Kind) -> Void) { self.refused = refused }

    func handlerAdded(context: ChannelHandlerContext) { begin(context) }

    func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

    /// Passes the last octet on separately: if a request ends with it, nothing is left over; if it does not,
    /// the octet belongs to the next head.
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

    /// Adds an invalid octet to a head that is too long, so that the HTTP parser answers 400.
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

    /// Schedules the check; one task for each connection, which is scheduled again when another head has
    /// begun.
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

    /// The octets are not HTTP: an error is answered, and the connection ends.
    fileprivate func headIsBroken() { phase = .broken }
}

/// A handler behind the HTTP parser, which reports to the clock what was parsed.
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
