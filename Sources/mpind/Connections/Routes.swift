// SPDX-License-Identifier: Apache-2.0
// The services behind Hummingbird: the only file where its requests become ours and our responses its.
import HTTPTypes
import HummingbirdCore
import MPinService
import MPinWire
import NIOCore
import NIOHTTPTypes

/// What a listener serves: the refusal of a head, asked before the body is read, and the answer.
struct Routes: Sendable {
    let refusal: @Sendable (MPinService.Request) -> MPinService.Response?
    let respond: @Sendable (MPinService.Request) async -> MPinService.Response
    /// Where requests wait for their turn.
    var turns: TurnGate?
    /// Of a listener for proxies.
    var forwarding: Forwarding?
    var places: Places?

    static func clients(
        _ router: some ClientRouter, _ turns: TurnGate, by forwarding: Forwarding? = nil,
        places: Places? = nil
    ) -> Routes {
        Routes(
            refusal: { router.refusal(ofHead: $0) }, respond: { await router.respond(to: $0) }, turns: turns,
            forwarding: forwarding, places: places)
    }

    static func admin(_ router: AdminRouter) -> Routes {
        Routes(refusal: { _ in nil }, respond: { await router.respond(to: $0) })
    }

    /// Of a socket that is there, but not for this server.
    static func refusing(_ answer: MPinService.Response) -> Routes {
        Routes(refusal: { _ in answer }, respond: { _ in answer })
    }

    static func rpa(_ router: ExternalRPARouter) -> Routes {
        Routes(refusal: { router.refusal(ofHead: $0) }, respond: { await router.respond(to: $0) })
    }

    func responder(for guest: Guest, door: Door, journal: Journal) -> HTTPChannelHandler.Responder {
        let visit = Visit(routes: self, guest: guest, door: door, journal: journal)
        return { request, writer, channel in
            let connection = Connection(channel: channel)
            var (answer, patience) = await visit.answer(request, connection)
            // It keeps the length that the answer to GET has.
            if request.method == .head { answer = answer.createHeadResponse() }
            let isLast = request.endsConnection
            if isLast { answer.headers[.connection] = "close" }
            // Who asks and does not read ties up no connection either.
            let end = connection.end(after: .seconds(10))
            defer { end.cancel() }
            do { try await writer.write(response: answer.head, body: answer.body) } catch {
                // Whatever it was: half an answer is not followed by another one.
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

    /// The answer; where it came before the body, how long the rest of that may take.
    func answer(
        _ request: HummingbirdCore.Request, _ connection: Connection
    ) async -> (HummingbirdCore.Response, patience: TimeAmount?) {
        let clock = ContinuousClock()
        let start = clock.now
        let end = connection.end(after: .seconds(10))
        defer { end.cancel() }
        let named = guest.asker(request.named, routes.forwarding)
        let asker = named ?? guest.asker
        var question = request.forHandlers(asker.peer)
        var answer: MPinService.Response
        var patience: TimeAmount?
        var refusal = named == nil ? Forwarding.refusal : routes.refusal(question)
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
        } else if let body = try? await request.body.collect(upTo: MPinService.Request.bodyLimit) {
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
        journal.answered(question, answer: answer, time: clock.now - start, asker: asker)
        return (response(answer), patience)
    }

    /// Takes what is left of the body of a request that was refused. Whoever brings it in time keeps the
    /// connection, which may be a proxy's, for the requests of others; from everybody else it is taken.
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

    /// The connection stays while the server works for it. Nobody works for one that has ended meanwhile.
    private func work(
        _ request: MPinService.Request, asker: Asker, connection: Connection
    ) async -> MPinService.Response {
        door.beginRequest(guest)
        defer { door.endRequest(guest) }
        guard let turns = routes.turns else { return await routes.respond(request) }
        return await turns.inTurn(asker) {
            connection.isOpen ? await routes.respond(request) : .clientGone
        }
    }

    private func response(_ answer: MPinService.Response) -> HummingbirdCore.Response {
        var headers = HTTPFields()
        headers[.date] = Effects.system.now().headerText
        for (name, value) in answer.headers {
            if let field = HTTPField.Name(name) { headers.append(HTTPField(name: field, value: value)) }
        }
        var response = HummingbirdCore.Response(
            status: .init(code: answer.status), headers: headers,
            body: .init(byteBuffer: answer.buffer))
        // A length would be that of the file which is not sent.
        if answer.status == 304 { response.headers[.contentLength] = nil }
        return response
    }
}

/// The connection of a request.
private struct Connection: Sendable {
    let channel: any Channel

    /// Ends the connection after a while, whatever it is at, unless that is cancelled.
    func end(after time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.breakOff() }
    }

    var isOpen: Bool { channel.isActive }

    /// Lets a client bring its body that waits for our word first, as libcurl does with every PUT.
    func sendContinue() {
        channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }
}

extension HummingbirdCore.Request {
    fileprivate var named: [(name: String, value: String)] { headers.map { ($0.name.rawName, $0.value) } }

    /// Its head, as the handlers see it.
    fileprivate func forHandlers(_ peer: Peer) -> MPinService.Request {
        MPinService.Request(
            method: method.rawValue, target: head.path ?? "", host: head.authority, origin: headers[.origin],
            contentType: headers[.contentType], attempt: headers[.attempt], peer: peer, headers: named)
    }

    /// Another protocol begins behind it for whoever reads on; here none does.
    fileprivate var endsConnection: Bool { method == .connect || headers[.upgrade] != nil }
}

/// Sent again and again without a copy.
struct KeptBuffer: SharedBody {
    let buffer: ByteBuffer
    var octets: [UInt8] { [UInt8](buffer: buffer) }
}

extension MPinService.Response {
    fileprivate var buffer: ByteBuffer {
        switch content {
        case .octets(let octets): ByteBuffer(bytes: octets)
        case .shared(let body): (body as? KeptBuffer)?.buffer ?? ByteBuffer(bytes: body.octets)
        }
    }

    /// For the log: nobody was there to hear an answer when it was this request's turn.
    fileprivate static let clientGone = MPinService.Response(408, notes: [LogField("refused", "gone")])
    /// For the log: who brings no whole body within ten seconds is not answered.
    fileprivate static let tooSlow = MPinService.Response(408, notes: [LogField("refused", "slow")])
}

private typealias HTTPField = HTTPFields.Element

extension HTTPField.Name {
    fileprivate static let attempt = HTTPField.Name(HeaderName.attempt) ?? .userAgent
}
