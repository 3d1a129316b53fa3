// SPDX-License-Identifier: Apache-2.0
// The connection to Hummingbird: the only file that turns its requests into ours and our responses into its
// own.
import HTTPTypes
import HummingbirdCore
import MPinServer
import MPinWire
import NIOCore
import NIOHTTPTypes

/// What a listener serves: `refusal` checks the head before the body is read, `respond` answers the request.
struct Routes: Sendable {
    let refusal: @Sendable (MPinServer.Request) -> MPinServer.Response?
    let respond: @Sendable (MPinServer.Request) async -> MPinServer.Response
    /// Where requests wait for their turn; nil if they do not.
    var turns: TurnGate?
    /// Only for a listener for proxies, as `places` is.
    var forwarding: Forwarding?
    var places: Places?
    var lines = Journal.Lines.all

    static func clients(
        _ router: some ClientRouter, _ turns: TurnGate, by forwarding: Forwarding? = nil,
        places: Places? = nil
    ) -> Routes {
        Routes(
            refusal: { router.refusal(ofHead: $0) }, respond: { await router.respond(to: $0) }, turns: turns,
            forwarding: forwarding, places: places, lines: .proven)
    }

    static func admin(_ router: AdminRouter) -> Routes {
        Routes(refusal: { _ in nil }, respond: { await router.respond(to: $0) })
    }

    /// For a socket that exists but has no use in this server.
    static func refusing(_ answer: MPinServer.Response) -> Routes {
        Routes(refusal: { _ in answer }, respond: { _ in answer })
    }

    static func rpa(_ router: ExternalRPARouter) -> Routes {
        Routes(refusal: { router.refusal(ofHead: $0) }, respond: { await router.respond(to: $0) })
    }

    /// Programs ask here every few seconds.
    static func metrics(_ router: MetricsRouter) -> Routes {
        Routes(
            refusal: { router.refusal(ofHead: $0) }, respond: { await router.respond(to: $0) },
            lines: .none)
    }

    func responder(for guest: Guest, door: Door, journal: Journal) -> HTTPChannelHandler.Responder {
        let visit = Visit(routes: self, guest: guest, door: door, journal: journal)
        return { request, writer, channel in
            let connection = Connection(channel: channel)
            var (answer, patience) = await visit.answer(request, connection)
            // The head keeps the length that the answer to GET has.
            if request.method == .head { answer = answer.createHeadResponse() }
            let isLast = request.endsConnection
            if isLast { answer.headers[.connection] = "close" }
            // A client that does not read its answer must not keep the connection.
            let end = connection.end(after: .seconds(10))
            defer { end.cancel() }
            do { try await writer.write(response: answer.head, body: answer.body) } catch {
                // Whatever the error was, nothing may follow half an answer.
                throw ChannelError.ioOnClosedChannel
            }
            end.cancel()
            if isLast { throw ChannelError.ioOnClosedChannel }
            await visit.drain(request, connection: connection, patience: patience)
        }
    }
}

/// The requests of one connection.
private struct Visit: Sendable {
    let routes: Routes
    let guest: Guest
    let door: Door
    let journal: Journal

    /// The answer. If it was made before the body was read, `patience` says how long the rest of the body may
    /// take.
    func answer(
        _ request: HummingbirdCore.Request, _ connection: Connection
    ) async -> (HummingbirdCore.Response, patience: TimeAmount?) {
        let start = ContinuousClock.now
        let end = connection.end(after: .seconds(10))
        defer { end.cancel() }
        let named = guest.asker(request.named, routes.forwarding)
        let asker = named ?? guest.asker
        var question = request.forHandlers(asker.peer)
        var answer: MPinServer.Response
        var patience: TimeAmount?
        var refusal = named == nil ? Forwarding.refusal : routes.refusal(question)
        if question.host == nil { refusal = RequestPolicy.noHost }
        var place: Int?
        if refusal == nil, let places = routes.places {
            place = places.take(asker, connection.channel)
            if place == nil { refusal = Forwarding.overShare }
        }
        defer { if let place { routes.places?.leave(place) } }
        if refusal == nil, request.headers[.expect]?.lowercased() == "100-continue" {
            connection.sendContinue()
        }
        if let refusal {
            answer = refusal
            patience = refusal.status == 429 ? .seconds(1) : .seconds(10)
        } else if let body = try? await request.body.collect(upTo: MPinServer.Request.bodyLimit) {
            end.cancel()
            question.body = [UInt8](buffer: body)
            if let place { routes.places?.begin(place) }
            answer = await work(question, asker: asker, connection: connection)
        } else if connection.isOpen {
            answer = RequestPolicy.tooLong
            patience = .seconds(10)
        } else {
            answer = .tooSlow
        }
        journal.answered(question, answer: answer, time: .now - start, asker: asker, lines: routes.lines)
        return (response(answer), patience)
    }

    /// Reads the rest of the body of a refused request. If it arrives in time, the connection, which may be a
    /// proxy's, stays open for other requests; otherwise it is closed.
    func drain(
        _ request: HummingbirdCore.Request, connection: Connection, patience: TimeAmount?
    ) async {
        guard let patience else { return }
        let end = connection.end(after: patience)
        defer { end.cancel() }
        door.refuseRequest(guest)
        do { for try await _ in request.body {} } catch { connection.channel.breakOff() }
        door.endRequest(guest)
    }

    /// Answers a request; its connection is not displaced meanwhile. Does nothing for a connection that has
    /// ended while it waited.
    private func work(
        _ request: MPinServer.Request, asker: Asker, connection: Connection
    ) async -> MPinServer.Response {
        door.beginRequest(guest)
        defer { door.endRequest(guest) }
        guard let turns = routes.turns else { return await routes.respond(request) }
        return await turns.inTurn(asker) {
            connection.isOpen ? await routes.respond(request) : .clientGone
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

/// The connection of a request.
private struct Connection: Sendable {
    let channel: any Channel

    /// Closes the connection after this time, unless that is cancelled.
    func end(after time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.breakOff() }
    }

    var isOpen: Bool { channel.isActive }

    /// Tells a client that waits for it to send its body, as libcurl does with every PUT.
    func sendContinue() {
        channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
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
