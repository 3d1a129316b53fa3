// SPDX-License-Identifier: Apache-2.0
// POST getQrUrl opens a console's session; POST codeStatus says to a second device who waits in it.
import MPin
import MPinStorage
import MPinWire
import Secrets

struct Sessions: Sendable {
    let backend: Backend

    /// 403 and 408 as a pass 1 with the same question; 429 for a host that has its 200 sessions. What brings
    /// no question is a browser, to which one without compatibility offers nothing.
    func open(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(SealedRequest.self, from: request.body) else {
            guard backend.settings.compatibility != nil else {
                return Response(400, json: message("Not a question of a host"))
            }
            return try await Browsers(backend: backend).open(request, as: .qr)
        }
        let question = try await backend.question(asked.ask, asked.askTag)
        let life = min(Int64(question.ask.life) * Limits.second, Limits.sessionLife)
        let wid = try backend.randomText(16)
        let notes = [LogField("host", question.host), LogField("session", question.attempt)]
        while true {
            let number = try backend.drawNumber()
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
            ttlSeconds: Int(seconds), qrUrl: backend.qrURL(wid), webOTT: webOTT)
        answer.localTimeStart = Int(start)
        answer.localTimeEnd = Int(start + life)
        answer.accessNumber = number
        answer.sessionTag = HexOctets(
            try backend.hostKey(question.host, question.epoch).tag(of: session))
        return answer
    }

    /// Whatever is said to it, only `abort` with the session's A changes anything for a console, and for a
    /// browser only how far a device has come; only a live session's `wid` is answered with more than OK.
    func status(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(CodeStatusRequest.self, from: request.body) else {
            return Response(400)
        }
        let nothing = Response(200, json: json(CodeStatusResponse()))
        guard let name = SessionName(asked.wid) else { return nothing }
        switch asked.status {
        case "wid":
            guard let waiting = try await backend.storage.waiting(name, for: request.peer),
                let details = try backend.details(waiting, wid: asked.wid, request)
            else { return nothing }
            try await advance(waiting, to: .scanned)
            return details
        case "user":
            // Whom he chose is not told to anybody.
            guard backend.settings.compatibility != nil,
                let waiting = try await backend.storage.waiting(name, for: request.peer)
            else { return nothing }
            try await advance(waiting, to: .chosen)
            return nothing
        case "abort":
            guard let a = asked.a?.octets, try await backend.storage.endSession(name, a: a) else {
                return nothing
            }
            return Response(
                200, json: json(CodeStatusResponse()),
                notes: [LogField("session", attemptText(a)), LogField("ended", "abort")])
        // What only a sealed answer, or a proof, may say.
        default: return nothing
        }
    }

    private func advance(_ waiting: Waiting, to state: BrowserState) async throws {
        switch waiting {
        case .console, .application: break
        case .browser(let browser): try await backend.storage.advanceBrowser(wid: browser.wid, to: state)
        }
    }
}

extension Storage {
    /// The live session of the name that somebody brings: 128 random bits are nobody's guess, seven digits
    /// are.
    func waiting(
        _ name: SessionName, for peer: Peer, counting: CountedLookUps = .all
    ) async throws(StorageError) -> Waiting? {
        switch name {
        case .wid(let wid): try await waiting(wid: wid)
        case .number(let number):
            try await lookUpSession(
                number: number, by: Seeker(source: peer.source, network: peer.network), counting: counting)
        }
    }

    /// The live session of that wid, whosever it is.
    func waiting(wid: String) async throws(StorageError) -> Waiting? {
        if let session = try await session(.wid(wid)) { return .console(session) }
        if let browser = try await browser(.session(.wid(wid))), browser.isLive { return .browser(browser) }
        return try await applicationSession(wid).map(Waiting.application)
    }
}

extension Waiting {
    var wid: String {
        switch self {
        case .console(let session): session.wid
        case .browser(let browser): browser.wid
        case .application(let live): live.session.wid
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
