// SPDX-License-Identifier: Apache-2.0
// The time that the head of a request may take, and the octets that the parser may hold back.
import HTTPTypes
import MPinServer
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// A handler before the HTTP parser. Closes a connection if its first head is not complete within five
/// seconds, or a later head within five seconds of its first octet.
final class HeadDeadline: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// How long a head may be. The heads of known clients have at most about two thousand octets.
    static let mostOctets = 16_384

    private enum Phase {
        case idle, head, body
        /// Nothing more of this connection is parsed.
        case broken
    }

    private let refused: @Sendable (RefusalKind) -> Void
    private var phase = Phase.idle
    /// How many octets have come since the parser last reported a part. It keeps them all: it skips blanks
    /// without counting them, and what follows a head that ends the parsing.
    private var unparsed = 0
    private var deadline = NIODeadline.distantFuture
    private var check: Scheduled<Void>?

    init(refused: @escaping @Sendable (RefusalKind) -> Void) { self.refused = refused }

    func handlerAdded(context: ChannelHandlerContext) { begin(context) }

    func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

    /// Passes the last octet on separately: if a request ends with it, nothing is left over; if it does not,
    /// the octet belongs to the next head.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var octets = unwrapInboundIn(data)
        for length in [octets.readableBytes - 1, 1] where length > 0 {
            guard phase != .broken, let part = octets.readSlice(length: length) else { return }
            if phase == .idle { begin(context) }
            unparsed += length
            context.fireChannelRead(wrapInboundOut(part))
            if unparsed > 2 * HeadDeadline.mostOctets, phase != .broken {
                phase = .broken
                refused(.long)
                context.triggerUserOutboundEvent(CloseAtOnce(), promise: nil)
            }
        }
    }

    private func begin(_ context: ChannelHandlerContext) {
        phase = .head
        deadline = .now() + .seconds(5)
        if check == nil { schedule(context) }
    }

    /// Schedules the check; one task for each connection, which is scheduled again when another head has
    /// begun.
    private func schedule(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            check = nil
            guard phase == .head else { return }
            guard deadline <= .now() else { return schedule(context) }
            refused(.slow)
            context.triggerUserOutboundEvent(CloseAtOnce(), promise: nil)
        }
    }

    fileprivate func parsed(_ part: HTTPRequestPart) {
        unparsed = 0
        guard phase != .broken else { return }
        switch part {
        case .head: phase = .body
        case .body: break
        case .end: phase = .idle
        }
    }

    /// The octets are not HTTP: an error is answered, and the connection ends.
    fileprivate func failed(_ error: any Error) {
        phase = .broken
        if case HTTPParserError.headerOverflow = error { refused(.long) }
    }
}

/// A handler behind the HTTP parser, which reports to `HeadDeadline` what was parsed.
final class ParsedHeads: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private var deadline: HeadDeadline?

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = try? context.pipeline.syncOperations.handler(type: HeadDeadline.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deadline?.parsed(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        deadline?.failed(error)
        context.fireErrorCaught(error)
    }
}
