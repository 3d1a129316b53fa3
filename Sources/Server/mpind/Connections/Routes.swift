// SPDX-License-Identifier: Apache-2.0
// The connection to Hummingbird: the only file that turns its requests into ours and our responses into its
// own.
import HTTPTypes
import HummingbirdCore
import MPinServer
import MPinWire
import NIOCore
import NIOHTTPTypes

/// Answers the requests of a listener.
protocol RequestRouter: Sendable {
    /// The refusal of a request by its head, before the body is read; nil to accept it.
    func refusal(ofHead request: MPinServer.Request) -> MPinServer.Response?
    func respond(to request: MPinServer.Request) async -> MPinServer.Response
}

extension PublicRouter: RequestRouter {}
extension AuthorityRouter: RequestRouter {}
extension ExternalRPARouter: RequestRouter {}
extension MetricsRouter: RequestRouter {}
extension AdminRouter: RequestRouter {
    func refusal(ofHead request: MPinServer.Request) -> MPinServer.Response? { nil }
}

/// The router of a socket that exists but has no use in this server.
struct RefusingRouter: RequestRouter {
    let answer: MPinServer.Response

    func refusal(ofHead request: MPinServer.Request) -> MPinServer.Response? { answer }
    func respond(to request: MPinServer.Request) -> MPinServer.Response { answer }
}

/// What a listener serves.
struct Routes: Sendable {
    let router: any RequestRouter
    /// Where requests wait for their turn; nil if they do not.
    var queue: RequestQueue?
    /// Only for a listener for proxies.
    var forwarding: Forwarding?
    var lines = RequestLog.Lines.all

    func responder(
        for admitted: AdmittedConnection, log: RequestLog
    ) -> HTTPChannelHandler.Responder {
        let requests = ConnectionRequests(routes: self, admitted: admitted, log: log)
        return { request, writer, channel in
            var (answer, patience) = await requests.answer(request, channel)
            // The head keeps the length that the answer to GET has.
            if request.method == .head { answer = answer.createHeadResponse() }
            let isLast = request.endsConnection
            if isLast { answer.headers[.connection] = "close" }
            // A client that does not read its answer must not keep the connection.
            let end = channel.close(after: .seconds(10))
            defer { end.cancel() }
            do { try await writer.write(response: answer.head, body: answer.body) } catch {
                // Whatever the error was, nothing may follow half an answer.
                throw ChannelError.ioOnClosedChannel
            }
            end.cancel()
            if isLast { throw ChannelError.ioOnClosedChannel }
            await requests.drain(request, channel, patience: patience)
        }
    }
}

/// The proxies that may name their clients, and the limits on the requests of each client. All connections of
/// a proxy are the proxy's own, so each request whose head has arrived and that is not answered yet counts as
/// a connection of the client.
struct Forwarding: Sendable {
    let proxies: TrustedProxies
    let limiter: ConnectionLimiter

    /// Admits a request; nil if its client has used up its share. If it is displaced, the proxy's connection
    /// is closed, because the proxy may wait there for a body that never comes.
    fileprivate func admit(_ client: ServedClient, _ channel: any Channel) -> Int? {
        let id = limiter.admit(client)
        if let id { limiter.attach(id) { _ in channel.closeAtOnce() } }
        return id
    }
}

/// The requests of one connection.
private struct ConnectionRequests: Sendable {
    let routes: Routes
    let admitted: AdmittedConnection
    let log: RequestLog

    /// The answer. If it was made before the body was read, `patience` says how long the rest of the body may
    /// take.
    func answer(
        _ request: HummingbirdCore.Request, _ channel: any Channel
    ) async -> (HummingbirdCore.Response, patience: TimeAmount?) {
        let start = ContinuousClock.now
        let end = channel.close(after: .seconds(10))
        defer { end.cancel() }
        let named = client(of: request)
        let client = named ?? admitted.client
        var question = request.forHandlers(client.peer)
        var answer: MPinServer.Response
        var patience: TimeAmount?
        var refusal = named == nil ? TrustedProxies.refusal : routes.router.refusal(ofHead: question)
        if question.host == nil { refusal = RequestPolicy.noHost }
        var id: Int?
        if refusal == nil, let forwarding = routes.forwarding {
            id = forwarding.admit(client, channel)
            if id == nil { refusal = TrustedProxies.overShare }
        }
        defer { if let id { routes.forwarding?.limiter.remove(id) } }
        if refusal == nil, request.headers[.expect]?.lowercased() == "100-continue" {
            channel.sendContinue()
        }
        if let refusal {
            answer = refusal
            patience = refusal.status == 429 ? .seconds(1) : .seconds(10)
        } else if let body = try? await request.body.collect(upTo: MPinServer.Request.bodyLimit) {
            end.cancel()
            question.body = [UInt8](buffer: body)
            if let id { routes.forwarding?.limiter.beginRequest(id) }
            answer = await work(question, for: client, channel)
        } else if channel.isActive {
            answer = RequestPolicy.tooLong
            patience = .seconds(10)
        } else {
            answer = .tooSlow
        }
        log.answered(question, answer: answer, time: .now - start, client: client, lines: routes.lines)
        return (response(answer), patience)
    }

    /// The connection's client; behind a proxy the one that it names, and nil if it names none.
    private func client(of request: HummingbirdCore.Request) -> ServedClient? {
        guard let forwarding = routes.forwarding else { return admitted.client }
        return forwarding.proxies.client(request.named, by: admitted.client.peer).map(ServedClient.init)
    }

    /// Reads the rest of the body of a refused request. If it arrives in time, the connection, which may be a
    /// proxy's, stays open for other requests; otherwise it is closed.
    func drain(
        _ request: HummingbirdCore.Request, _ channel: any Channel, patience: TimeAmount?
    ) async {
        guard let patience else { return }
        let end = channel.close(after: patience)
        defer { end.cancel() }
        admitted.limiter.refuseRequest(admitted.id)
        do { for try await _ in request.body {} } catch { channel.closeAtOnce() }
        admitted.limiter.endRequest(admitted.id)
    }

    /// Answers a request; its connection is not displaced meanwhile. Does nothing for a connection that has
    /// ended while it waited.
    private func work(
        _ request: MPinServer.Request, for client: ServedClient, _ channel: any Channel
    ) async -> MPinServer.Response {
        admitted.limiter.beginRequest(admitted.id)
        defer { admitted.limiter.endRequest(admitted.id) }
        guard let queue = routes.queue else { return await routes.router.respond(to: request) }
        return await queue.run(for: client) {
            channel.isActive ? await routes.router.respond(to: request) : .clientGone
        }
    }

    private func response(_ answer: MPinServer.Response) -> HummingbirdCore.Response {
        var headers = HTTPFields()
        headers[.date] = Effects.system.now().headerText
        for (name, value) in answer.headers {
            if let field = HTTPField.Name(name) { headers.append(HTTPField(name: field, value: value)) }
        }
        var response = HummingbirdCore.Response(
            status: .init(code: answer.status), headers: headers,
            body: .init(byteBuffer: answer.buffer))
        // The length would be that of the file, which is not sent.
        if answer.status == 304 { response.headers[.contentLength] = nil }
        return response
    }
}

extension Channel {
    /// Closes the connection after this time, unless that is cancelled.
    fileprivate func close(after time: TimeAmount) -> Scheduled<Void> {
        eventLoop.scheduleTask(in: time) { [self] in closeAtOnce() }
    }

    /// Tells a client that waits for it to send its body, as libcurl does with every PUT.
    fileprivate func sendContinue() {
        writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }
}

extension HummingbirdCore.Request {
    fileprivate var named: [(name: String, value: String)] { headers.map { ($0.name.rawName, $0.value) } }

    private func named(_ name: String) -> [String] {
        headers.filter { $0.name.canonicalName == name }.map(\.value)
    }

    /// The request's head for our handlers.
    fileprivate func forHandlers(_ peer: Peer) -> MPinServer.Request {
        MPinServer.Request(
            method: method.rawValue, target: head.path ?? "",
            // The first header Host is the authority, and all others are headers.
            host: RequestPolicy.host([head.authority].compactMap(\.self) + named("host")),
            origin: headers[.origin],
            contentType: headers[.contentType], attempt: headers[.attempt], peer: peer, headers: named)
    }

    /// After such a request a client may continue in another protocol, which this server does not speak.
    fileprivate var endsConnection: Bool { method == .connect || headers[.upgrade] != nil }
}

/// A body that is sent many times without being copied.
struct KeptBuffer: SharedBody {
    let buffer: ByteBuffer
    var octets: [UInt8] { [UInt8](buffer: buffer) }
}

extension MPinServer.Response {
    fileprivate var buffer: ByteBuffer {
        switch content {
        case .octets(let octets): ByteBuffer(bytes: octets)
        case .shared(let body): (body as? KeptBuffer)?.buffer ?? ByteBuffer(bytes: body.octets)
        }
    }

    /// For the log only: the client had gone when it was this request's turn.
    fileprivate static let clientGone = MPinServer.Response(408, notes: [LogField("refused", "gone")])
    /// For the log only: the body was not complete within ten seconds, and there was no answer.
    fileprivate static let tooSlow = MPinServer.Response(408, notes: [LogField("refused", "slow")])
}

private typealias HTTPField = HTTPFields.Element

extension HTTPField.Name {
    fileprivate static let attempt = HTTPField.Name(HeaderName.attempt) ?? .userAgent
}
