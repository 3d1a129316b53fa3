// SPDX-License-Identifier: Apache-2.0
// POST getQrUrl opens a console's session; POST codeStatus tells a second device which login waits in it.
import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

struct Sessions: Sendable {
    let context: ServiceContext

    /// Opens a session. 403 and 408 as for a pass 1 with the same question; 429 if too many sessions live: of
    /// the source, of its network, or of the host. A request without a question comes from a browser, which
    /// is served only under `profile = compat`.
    func open(_ request: Request) async throws -> Response {
        guard let question = try await question(request) else {
            guard context.settings.compatibility != nil, !isOfHost(request) else {
                return .notOfHost
            }
            return try await Browsers(context: context).open(request, as: .qr)
        }
        let life = min(Int64(question.life) * Limits.second, context.settings.lives.session)
        let wid = try context.randomText(16)
        let notes = [LogField("host", question.host), LogField("session", question.attempt)]
        while true {
            let number = try context.drawNumber()
            let opened = try await context.storage.openSession(
                SessionOpening(
                    wid: wid, number: number, host: question.host, hostEpoch: question.epoch,
                    requester: question.requester, a: question.a, question: question.octets, life: life,
                    devices: question.devices, listedSource: question.listedSource))
            switch opened {
            case .numberTaken: continue
            case .full: return .tooManySessions(notes: notes)
            case .opened(let at):
                let answer = try await answer(to: question, wid: wid, number: number, start: at, life: life)
                return Response(200, json: json(answer), notes: notes).proven()
            }
        }
    }

    /// Whether the request is a host's, in a form that this server cannot read, and so not a browser's.
    private func isOfHost(_ request: Request) -> Bool {
        guard let body = try? decoded([String: JSONValue].self, from: request.body) else { return false }
        return ["ask", "askTag", "bind", "bindTag"].contains { body[$0] != nil }
    }

    /// The question of a host; nil if the body has none.
    private func question(_ request: Request) async throws -> SessionQuestion? {
        if let asked = try? decoded(SealedRequest.self, from: request.body) {
            let question = try await context.question(asked.ask, asked.askTag)
            return SessionQuestion(question.sealed, host: question.host, epoch: question.epoch)
        }
        guard let asked = try? decoded(BindRequest.self, from: request.body) else { return nil }
        return try await context.question(binding: asked.bind, asked.bindTag)
    }

    private func answer(
        to question: SessionQuestion, wid: String, number: String, start: UnixMilliseconds,
        life: UnixMilliseconds
    ) async throws -> SessionResponse {
        let seconds = UInt16(clamping: life / Limits.second)
        guard
            let session = SealedSession(
                a: question.a, wid: [UInt8](wid.utf8), number: [UInt8](number.utf8), life: seconds)
        else { throw SealFailure.malformed }
        // The webOTT has no use: the console asks with A, and nothing polls.
        let webOTT = try context.randomText(16)
        var answer = SessionResponse(
            ttlSeconds: Int(seconds), qrUrl: context.qrURL(wid), webOTT: webOTT)
        answer.localTimeStart = Int(start)
        answer.localTimeEnd = Int(start + life)
        answer.accessNumber = number
        answer.sessionTag = HexOctets(
            try await context.hostKey(question.host, question.epoch).key.tag(of: session))
        return answer
    }

    /// POST codeStatus. For a console only `abort` has an effect; for a browser's session also the reports of
    /// a device's progress. Only `wid`, for a live session, is answered with more than OK.
    func status(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(CodeStatusRequest.self, from: request.body) else {
            return Response(400)
        }
        let nothing = Response(200, json: json(CodeStatusResponse()))
        guard let name = SessionName(asked.wid) else { return nothing }
        switch asked.status {
        case "wid":
            return try await look(at: name, for: asked, request: request) ?? nothing
        case "user":
            // The chosen user is not revealed.
            guard context.settings.compatibility != nil,
                let waiting = try await context.waiting(
                    name, for: context.device(asked), request.peer)
            else { return nothing }
            try await advance(waiting, to: .chosen)
            return nothing
        case "abort":
            let ended = try await aborted(name, for: asked, request: request)
            return Response(
                200, json: json(CodeStatusResponse()),
                notes: ended.map { [LogField("session", $0.attempt), LogField("ended", "abort")] } ?? []
            ).proven(ended?.isByOwner == true)
        // Other states are reached only by a proof or reported only by a sealed answer.
        default: return nothing
        }
    }

    /// Ends a session and returns its attempt id, and whether its console or a device that it lists did that;
    /// nil if there was none to end. The console itself may end
    /// it, by sending A, and a device that may approve it. A browser's session may also be ended by a
    /// stranger who has scanned its QR code, but not by one who has only the number, which can be guessed.
    private func aborted(
        _ name: SessionName, for asked: CodeStatusRequest, request: Request
    ) async throws -> (attempt: String, isByOwner: Bool)? {
        if let a = asked.a {
            return try await context.storage.endSession(name, a: a, by: nil) ? (attemptText(a), true) : nil
        }
        let device = try await context.device(asked)
        guard let waiting = try await context.waiting(name, for: device, request.peer) else { return nil }
        let isAsked = try device.map { try waiting.takes($0) } ?? false
        let id = isAsked ? device?.description.id : nil
        switch (waiting, name) {
        case (.console(let session), _):
            guard let id, try await context.storage.endSession(name, a: session.a, by: id) else { return nil }
        case (.browser, .number) where id == nil: return nil
        case (.browser(let browser), _):
            guard try await context.storage.endBrowser(wid: browser.wid, by: id) else { return nil }
        case (.application, _): return nil
        }
        // What needs no proof leaves a line in the log, and no record.
        if let id {
            let fields = [AuditField("from", request.peer.source)]
            try await context.storage.append(
                try waiting.event("session.abort", subject: id8(id), fields: fields))
        }
        return (waiting.attempt, id != nil)
    }

    /// The details of the waiting login; nil if there is none, or if this device's user has reported its
    /// source.
    private func look(
        at name: SessionName, for asked: CodeStatusRequest, request: Request
    ) async throws -> Response? {
        let device = try await context.device(asked)
        guard let waiting = try await context.waiting(name, for: device, request.peer) else { return nil }
        var isAsked: Bool?
        if let device, case .console = waiting {
            guard try await !context.hasReported(waiting, device) else { return nil }
            isAsked = try waiting.takes(device)
        }
        guard let details = try context.details(waiting, wid: asked.wid, isAsked: isAsked, request) else {
            return nil
        }
        try await advance(waiting, to: .scanned)
        return details.proven(device != nil)
    }

    private func advance(_ waiting: Waiting, to state: BrowserState) async throws {
        switch waiting {
        case .console, .application: try await context.storage.noteScan(wid: waiting.wid)
        case .browser(let browser): try await context.storage.advanceBrowser(wid: browser.wid, to: state)
        }
    }
}

extension ServerDatabase {
    /// The live session of that name. Only look-ups by number are counted: 128 random bits cannot be guessed,
    /// but seven digits can.
    func waiting(
        _ name: SessionName, for requester: Requester, counting: CountedLookUps = .all
    ) async throws(StorageError) -> Waiting? {
        switch name {
        case .wid(let wid): try await waiting(wid: wid)
        case .number(let number): try await lookUpSession(number: number, by: requester, counting: counting)
        }
    }

    /// The live session of that wid: a console's, a browser's or an application's.
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
    /// A wid of 32 hex digits in lower case, or an access number; nil for other text.
    init?(_ text: String) {
        let signs = [UInt8](text.utf8)
        let isUnchecked = signs.count == 6 && signs.allSatisfy { (0x30...0x39).contains($0) }
        if isUnchecked || AccessNumber.isValid(signs) {
            self = .number(text)
        } else if signs.count == 32, signs.allSatisfy({ nibble($0) != nil && !(0x41...0x46).contains($0) }) {
            self = .wid(text)
        } else {
            return nil
        }
    }
}

extension HostQuestion {
    /// The attempt id of a session that this question opens.
    var attempt: String { attemptText(sealed.a) }
}

/// The attempt id of the session that a question opens: 16 hex digits.
func attemptText(_ a: QuestionHash) -> String { attemptText(a.octets) }

/// An attempt id: the first 16 hex digits of a hash.
func attemptText(_ a: [UInt8]) -> String { hexText([UInt8](a.prefix(8))) }
