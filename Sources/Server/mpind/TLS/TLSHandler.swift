// SPDX-License-Identifier: Apache-2.0
// TLS of one connection, by libssl: what the client sends is decrypted, what this server writes is encrypted.
import CSSL
import Glibc
import NIOCore

/// libssl reads the client's octets where they are, and writes to memory that is sent at once: between two
/// calls it holds less than a record. Errors end the connection and are not passed on to HTTP.
@safe final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case handshake, open
        /// This side has sent its last octet, and what comes is dropped.
        case closing
    }

    /// How many octets of a handshake a client may send, and its hello may announce: libssl allocates what
    /// is announced, up to 131 KB. Those of known clients have about two thousand.
    private static let longestHandshake = 16_384
    /// How many octets a client may make this side send after the handshake, by attempts to renegotiate and
    /// demands for new keys: without a limit, a client that reads nothing could fill the memory with them.
    private static let mostReplies = 1024
    /// How many octets a client may send after the handshake beyond 32 for each octet of a request: a client
    /// that sends new keys without end would keep a thread busy. One record has at most 16,645.
    private static let mostSilent = 32_768
    /// How long a client that does not close its side delays the end of a connection.
    private static let patience = TimeAmount.milliseconds(100)

    private let ssl: OpaquePointer
    private let handshakeEnded: (HandshakeFailure?) -> Void
    private var state = State.handshake
    /// Whether the client has said by TLS that nothing more will come.
    private var hasInputEnded = false
    private var handshakeOctets = 0
    private var replyOctets = 0
    private var silentOctets = 0
    /// The first octets of the connection, until they tell how long a hello they announce.
    private var start: ByteBuffer? = ByteBuffer()

    /// - Parameter handshakeEnded: gets nil if the handshake is complete. It is not called if the client just
    ///   disconnects: relays connect only to see whether the server listens.
    init(_ context: TLSContext, handshakeEnded: @escaping (HandshakeFailure?) -> Void) throws {
        guard let made = unsafe SSL_new(context.pointer) else {
            throw IOError(errnoCode: ENOMEM, reason: "SSL_new")
        }
        unsafe SSL_set_accept_state(made)
        unsafe ssl = made
        self.handshakeEnded = handshakeEnded
    }

    deinit { unsafe SSL_free(ssl) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state != .closing, !hasInputEnded else { return }
        let isFirst = start != nil
        guard let octets = held(unwrapInboundIn(data)) else { return }
        if isFirst, TLSHandler.announcesTooMuch(octets) { return fail(.other, context) }
        var plain = context.channel.allocator.buffer(capacity: octets.readableBytes)
        guard let (end, written) = withSSL(reading: octets, { decrypt(into: &plain) }) else {
            return fail(.other, context)
        }
        if written.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(written), promise: nil) }
        count(received: octets.readableBytes, plain: plain.readableBytes, replied: written.readableBytes)
        if plain.readableBytes > 0, state == .open { context.fireChannelRead(wrapInboundOut(plain)) }
        // A handler behind this one may have closed the connection.
        guard state != .closing else { return }
        switch end.error {
        case SSL_ERROR_WANT_READ:
            let isTooMuch =
                handshakeOctets > TLSHandler.longestHandshake || replyOctets > TLSHandler.mostReplies
                || silentOctets > TLSHandler.mostSilent
            if isTooMuch { fail(.other, context) }
        case SSL_ERROR_ZERO_RETURN:
            hasInputEnded = true
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        default: fail(HandshakeFailure(reason: end.reason), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        // If the client has not said so by TLS, somebody else may have cut off what it sent.
        if state != .open || !hasInputEnded { close(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if state == .handshake { handshakeEnded(.other) }
        close(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .closing
        context.fireChannelInactive()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let octets = unwrapOutboundIn(data)
        // Nothing is answered before the handshake has ended.
        guard state == .open else { return fail(promise) }
        guard octets.readableBytes > 0 else { return context.write(data, promise: promise) }
        guard let (isDone, written) = withSSL({ encrypt(octets) }), isDone else {
            fail(promise)
            return fail(.other, context)
        }
        context.write(wrapOutboundOut(written), promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard state == .open, mode != .input else {
            if mode != .input { state = .closing }
            return context.close(mode: mode, promise: promise)
        }
        if let (_, written) = withSSL({ unsafe SSL_shutdown(ssl) }) {
            context.writeAndFlush(wrapOutboundOut(written), promise: nil)
        }
        if mode == .all { end(context, promise) } else { endOutput(context, promise) }
    }
}

extension TLSHandler {
    /// The type of a record of the handshake (RFC 8446, section 5.1).
    private static let handshakeRecord: UInt8 = 22
    /// A record's type, version and length, then its message's type and length.
    private static let helloHead = 9

    /// The octets to read now, the held ones first; nil while more are needed to know the hello's length.
    private func held(_ octets: ByteBuffer) -> ByteBuffer? {
        guard var start else { return octets }
        var octets = octets
        start.writeBuffer(&octets)
        let view = start.readableBytesView
        let isWhole = view.count >= TLSHandler.helloHead || view.first != TLSHandler.handshakeRecord
        self.start = isWhole ? nil : start
        return isWhole ? start : nil
    }

    /// Whether the hello that begins here is longer than a handshake may be, or its length is in two records.
    private static func announcesTooMuch(_ octets: ByteBuffer) -> Bool {
        let head = Array(octets.readableBytesView.prefix(helloHead))
        guard head.first == handshakeRecord else { return false }
        let record = Int(head[3]) << 8 | Int(head[4])
        let hello = Int(head[6]) << 16 | Int(head[7]) << 8 | Int(head[8])
        return record < 4 || hello + 4 > longestHandshake
    }

    /// Runs operations on these octets of the client. Returns their result, and what they have written for
    /// it; nil without memory.
    private func withSSL<R>(
        reading octets: ByteBuffer = ByteBuffer(), _ operations: () -> R
    ) -> (R, written: ByteBuffer)? {
        unsafe octets.withUnsafeReadableBytes { octets in
            guard unsafe mpin_ssl_begin(ssl, octets.baseAddress, CInt(clamping: octets.count)) == 1 else {
                return nil
            }
            defer { unsafe mpin_ssl_end(ssl) }
            let result = operations()
            var written: UnsafeMutablePointer<CChar>?
            let count = unsafe mpin_ssl_written(ssl, &written)
            return unsafe (
                result, ByteBuffer(bytes: UnsafeRawBufferPointer(start: written, count: count))
            )
        }
    }

    /// The handshake as far as the octets go, and what they decrypt to. Returns why libssl has stopped.
    private func decrypt(into plain: inout ByteBuffer) -> (error: CInt, reason: CInt) {
        while true {
            var isDone: CInt = 0
            ERR_clear_error()
            unsafe plain.writeWithUnsafeMutableBytes(minimumWritableBytes: 1024) { space in
                var count = 0
                unsafe isDone = SSL_read_ex(ssl, space.baseAddress, space.count, &count)
                return count
            }
            if isDone != 1 { return unsafe (SSL_get_error(ssl, isDone), mpin_ssl_reason()) }
        }
    }

    private func encrypt(_ octets: ByteBuffer) -> Bool {
        unsafe octets.withUnsafeReadableBytes { octets in
            var count = 0
            return unsafe SSL_write_ex(ssl, octets.baseAddress, octets.count, &count) == 1
                && count == octets.count
        }
    }

    /// Counts what a client sent, and what it made this side send.
    private func count(received: Int, plain: Int, replied: Int) {
        switch state {
        case .handshake where unsafe SSL_is_init_finished(ssl) == 1:
            state = .open
            handshakeOctets = 0
            handshakeEnded(nil)
        case .handshake: handshakeOctets += received
        case .open:
            replyOctets += replied
            silentOctets = max(0, silentOctets + received - 32 * plain)
        case .closing: break
        }
    }

    private func fail(_ failure: HandshakeFailure, _ context: ChannelHandlerContext) {
        if state == .handshake { handshakeEnded(failure) }
        end(context, nil)
    }

    private func fail(_ promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.ioOnClosedChannel) }

    private func close(_ context: ChannelHandlerContext) {
        state = .closing
        context.close(promise: nil)
    }

    private func endOutput(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        state = .closing
        context.close(mode: .output, promise: promise)
    }

    /// Ends the connection when the client has read everything and closes its side, or a moment later. If it
    /// were closed at once, a client that is still sending might lose the last octets, such as an alert.
    private func end(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        endOutput(context, nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: TLSHandler.patience) { channel.close(promise: promise) }
    }
}
