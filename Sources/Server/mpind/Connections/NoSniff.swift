// SPDX-License-Identifier: Apache-2.0
// Adds `X-Content-Type-Options: nosniff` to every answer, also to those that the HTTP library makes.
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A handler between the HTTP parser and whoever answers.
final class NoSniff: ChannelOutboundHandler, RemovableChannelHandler, Sendable {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status.kind != .informational else {
            return context.write(data, promise: promise)
        }
        head.headerFields[.xContentTypeOptions] = "nosniff"
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
