// SPDX-License-Identifier: Apache-2.0
// POST getQrUrl opens a console's session; POST codeStatus says to a second device who waits in it.
import MPin
import MPinStorage
import MPinWire
import Secrets

/// Milagro's browsers open sessions without a question; this server offers them none.
struct Sessions: Sendable {
    let backend: Backend

    /// 403 and 408 as a pass 1 with the same question; 429 for a host that has its 200 sessions.
    func open(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(SealedRequest.self, from: request.body) else {
            return Response(400, json: message("Not a question of a host"))
        }
        let question = try await backend.question(asked.ask, asked.askTag)
        let life = min(Int64(question.ask.life) * Limits.second, Limits.sessionLife)
        let wid = try backend.randomText(16)
        let notes = [LogField("host", question.host), LogField("session", question.attempt)]
        while true {
            let number = try drawNumber()
            let opened = try await backend.storage.openSession(
                SessionOpening(
                    wid: wid, number: number, host: question.host, hostEpoch: question.epoch,
                    source: question.source, a: question.ask.a, ask: question.ask.octets, life: life))
            switch opened {
            case .numberTaken: continue
            case .full:
                return Response(
                    429, json: message("Too many sessions"), notes: notes + [LogField("refused", "full")])
            case .opened(let at):
                let answer = try answer(question, wid: wid, number: number, at, life)
                return Response(200, json: json(answer), notes: notes)
            }
        }
    }

    private func answer(
        _ question: HostQuestion, wid: String, number: String, _ start: UnixMilliseconds,
        _ life: UnixMilliseconds
    ) throws -> SessionResponse {
        let seconds = UInt16(clamping: life / Limits.second)
        guard
            let session = SealedSession(
                a: question.ask.a, wid: [UInt8](wid.utf8), number: [UInt8](number.utf8), life: seconds)
        else { throw SealFailure.malformed }
        // Nobody's: the console asks with A, and nothing polls.
        let webOTT = try backend.randomText(16)
        var answer = SessionResponse(
            ttlSeconds: Int(seconds), qrUrl: (backend.settings.publicURL ?? "") + "#" + wid, webOTT: webOTT)
        answer.localTimeStart = Int(start)
        answer.localTimeEnd = Int(start + life)
        answer.accessNumber = number
        answer.sessionTag = HexOctets(
            try backend.hostKey(question.host, question.epoch).tag(of: session))
        return answer
    }

    /// Seven digits: six at random, drawn again where no server gives out the check.
    private func drawNumber() throws -> String {
        while true {
            let digits = [UInt8](sixDigits(try backend.effects.random(8)).utf8)
            if let check = AccessNumber.checkDigit(of: digits) {
                return String(decoding: digits + [check], as: UTF8.self)
            }
        }
    }

    /// Whatever is said to it, only `abort` with the session's A changes anything, and only the `wid` of a
    /// live session, a console's or an application's, is answered with more than OK.
    func status(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(CodeStatusRequest.self, from: request.body) else {
            return Response(400)
        }
        let nothing = Response(200, json: json(CodeStatusResponse()))
        guard let name = SessionName(asked.wid) else { return nothing }
        switch asked.status {
        case "wid":
            if let session = try await session(name, request.peer) {
                return try backend.details(session, wid: asked.wid, request) ?? nothing
            }
            let application = try await backend.applicationSession(named: asked.wid)
            return application.flatMap { backend.details($0, request) } ?? nothing
        case "abort":
            guard let a = asked.a?.octets, try await backend.storage.endSession(name, a: a) else {
                return nothing
            }
            return Response(
                200, json: json(CodeStatusResponse()),
                notes: [LogField("session", attemptText(a)), LogField("ended", "abort")])
        // Someone chose his name, or says what only a sealed answer may say.
        default: return nothing
        }
    }

    /// 128 random bits are nobody's guess; seven digits are.
    private func session(_ name: SessionName, _ peer: Peer) async throws -> SessionRecord? {
        switch name {
        case .wid: try await backend.storage.session(name)
        case .number(let number):
            try await backend.storage.lookUpSession(
                number: number, by: Seeker(source: peer.source, network: peer.network))
        }
    }
}

extension SessionName {
    init?(_ text: String) {
        let signs = [UInt8](text.utf8)
        if AccessNumber.isValid(signs) {
            self = .number(text)
        } else if signs.count == 32, signs.allSatisfy({ nibble($0) != nil && !(0x41...0x46).contains($0) }) {
            self = .wid(text)
        } else {
            return nil
        }
    }
}

extension SessionRecord {
    /// The question that opened it.
    func question() throws -> HostQuestion {
        guard let ask = Ask(decoding: ask) else { throw StorageError.corrupt }
        return HostQuestion(ask: ask, host: host, epoch: hostEpoch)
    }
}

extension HostQuestion {
    /// The attempt id of a session that it opens.
    var attempt: String { attemptText(ask.a) }
}

/// The attempt id of the session that a question opens: 16 hex digits.
func attemptText(_ a: [UInt8]) -> String { hexText([UInt8](a.prefix(8))) }

extension Backend {
    /// What a second device shows: in words, and as `seen`.
    fileprivate func details(
        _ session: SessionRecord, wid: String, _ request: Request
    ) throws -> Response? {
        let question = try session.question()
        let now = UInt64(clamping: session.readAt / Limits.second)
        guard let seen = seen(question, wid: wid, request, at: now) else { return nil }
        let ask = question.ask
        let name =
            "\(shown(ask.service)) for \(shown(ask.account)) on \(shown(ask.host)), from \(shown(ask.source))"
        var answer = CodeStatusResponse(appName: name, logoURL: "")
        answer.seen = HexOctets(seen.octets)
        answer.attempt = question.attempt
        return Response(
            200, json: json(answer), notes: [LogField("session", question.attempt)])
    }

    /// The live session that a `seen` is about, if this server would write that very `seen` for it at a time
    /// within its life.
    func session(seen octets: [UInt8], _ request: Request) async throws -> SessionRecord? {
        guard let shown = Seen(decoding: octets), let wid = String(validating: shown.wid, as: UTF8.self),
            let name = SessionName(wid), let session = try await storage.session(name)
        else { return nil }
        let life = session.openedAt / Limits.second...session.expiresAt / Limits.second
        guard life.contains(Int64(clamping: shown.seconds)),
            try seen(session.question(), wid: wid, request, at: shown.seconds) == shown
        else { return nil }
        return session
    }

    private func seen(
        _ question: HostQuestion, wid: String, _ request: Request, at seconds: UInt64
    ) -> Seen? {
        guard let origin = origin(of: request) else { return nil }
        let ask = question.ask
        return Seen(
            origin: [UInt8](origin.utf8), wid: [UInt8](wid.utf8), host: ask.host, service: ask.service,
            account: ask.account, source: ask.source, seconds: seconds)
    }

    /// As the device knows this server: a Unix socket, or the address of `public-url`, through a proxy too.
    func origin(of request: Request) -> String? {
        switch request.peer {
        case .local where request.host == Gate.localName: "unix"
        case .local, .address: settings.publicURL
        }
    }
}

/// A text that strangers may have typed, for the screen of a phone: printable ASCII, not too much of it.
func shown(_ text: [UInt8]) -> String {
    String(decoding: text.prefix(64).map { (0x20...0x7e).contains($0) ? $0 : 0x3f }, as: UTF8.self)
}
