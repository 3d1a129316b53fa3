// SPDX-License-Identifier: Apache-2.0
// The services behind Hummingbird: the only file where its requests become ours and our responses its.
import HTTPTypes
import HummingbirdCore
import MPinService
import MPinWire
import NIOCore

/// What a listener serves: the refusal of a head, asked before the body is read, and the answer.
struct Routes: Sendable {
    let refusal: @Sendable (MPinService.Request) -> MPinService.Response?
    let respond: @Sendable (MPinService.Request) async -> MPinService.Response

    static func `public`(_ router: PublicRouter) -> Routes {
        Routes(refusal: { router.refusal(ofHead: $0) }, respond: { await router.respond(to: $0) })
    }

    static func admin(_ router: AdminRouter) -> Routes {
        Routes(refusal: { _ in nil }, respond: { await router.respond(to: $0) })
    }

    static func rpa(_ router: PartyRouter) -> Routes {
        Routes(refusal: { router.refusal(ofHead: $0) }, respond: { await router.respond(to: $0) })
    }

    func responder() -> HTTPChannelHandler.Responder {
        { request, writer, channel in
            var answer = await answer(request, Connection(channel: channel))
            if request.method == .head { answer.body = .init() }
            let isLast = request.endsConnection
            if isLast { answer.headers[.connection] = "close" }
            do { try await writer.write(response: answer.head, body: answer.body) } catch {
                // Whatever it was: half an answer is not followed by another one.
                throw ChannelError.ioOnClosedChannel
            }
            if isLast { throw ChannelError.ioOnClosedChannel }
        }
    }

    private func answer(
        _ request: HummingbirdCore.Request, _ connection: Connection
    ) async -> HummingbirdCore.Response {
        let clock = ContinuousClock()
        let start = clock.now
        // Whoever is refused loses the connection then too: nobody waits for the rest of his body.
        let end = connection.end(after: .seconds(10))
        guard let peer = await connection.peer() else { return response(.stranger) }
        var ours = MPinService.Request(
            method: request.method.rawValue, target: request.head.path ?? "",
            host: request.head.authority, origin: request.headers[.origin],
            contentType: request.headers[.contentType], attempt: request.headers[.attempt], peer: peer,
            headers: request.headers.map { ($0.name.rawName, $0.value) })
        var answer: MPinService.Response
        let refusal = refusal(ours)
        if refusal == nil, request.headers[.expect]?.lowercased() == "100-continue" { connection.goOn() }
        if let refusal {
            answer = refusal
        } else if let body = try? await request.body.collect(upTo: MPinService.Request.bodyLimit) {
            end.cancel()
            ours.body = [UInt8](buffer: body)
            answer = await respond(ours)
        } else if connection.isOpen {
            answer = Gate.tooLong
        } else {
            answer = .tooSlow
        }
        record(ours, answer, clock.now - start)
        return response(answer)
    }

    private func record(_ request: MPinService.Request, _ answer: MPinService.Response, _ time: Duration) {
        let milliseconds = time / .milliseconds(1)
        mpind.log(
            "request",
            [
                LogField("route", answer.route), LogField("status", String(answer.status)),
                LogField("ms", String(Int(milliseconds))), LogField("source", request.peer.source),
                LogField("attempt", request.attempt),
            ] + answer.notes)
    }

    private func response(_ answer: MPinService.Response) -> HummingbirdCore.Response {
        var headers = HTTPFields()
        headers[.date] = Effects.system.now().headerText
        for (name, value) in answer.headers {
            if let field = HTTPField.Name(name) { headers.append(HTTPField(name: field, value: value)) }
        }
        return HummingbirdCore.Response(
            status: .init(code: answer.status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}

extension HummingbirdCore.Request {
    /// Another protocol begins behind it for whoever reads on; here none does.
    fileprivate var endsConnection: Bool { method == .connect || headers[.upgrade] != nil }
}

extension MPinService.Response {
    /// The kernel does not say who asks.
    fileprivate static let stranger = MPinService.Response(403)
    /// For the log: who brings no whole body within ten seconds is not answered.
    fileprivate static let tooSlow = MPinService.Response(408, notes: [LogField("refused", "slow")])
}

private typealias HTTPField = HTTPFields.Element

extension HTTPField.Name {
    fileprivate static let attempt = HTTPField.Name(HeaderName.attempt) ?? .userAgent
}
