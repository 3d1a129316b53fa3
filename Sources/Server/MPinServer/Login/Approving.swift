// SPDX-License-Identifier: Apache-2.0
// How a second device decides about a session: POST authenticate approves or denies it, POST mpinLogout ends
// a granted login.
import MPin
import MPinDatabase
import MPinWire
import Octets

struct Approving: Sendable {
    let context: ServiceContext

    /// A good proof, and the session that it was made for.
    struct Proved {
        let identity: IdentityRecord
        let waiting: Waiting
        let notes: [LogField]
        /// What the device learns in addition to the verdict.
        let answer: AuthenticateResponse

        /// `answer` with a message: what it has is sent only once.
        func answer(saying message: String) -> AuthenticateResponse {
            var answer = answer
            answer.message = message
            return answer
        }
    }

    /// POST authenticate. For a console this answers at once, because the answer has the approval code. Only
    /// a good proof by an identity that may approve the session changes the session; other proofs get 412.
    func authenticate(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(AuthenticateRequest.self, from: request.body),
            let authOTT = asked.mpinResponse?.authOTT
        else { return Response(400) }
        let redemption = try await context.storage.redeemForSession(
            authOTTHash: TicketHash(of: authOTT))
        guard let redemption else { return expired([]) }
        let bookNotes = await context.tellBook(of: redemption.revoked)
        guard let waiting = try await waiting(redemption), let identity = redemption.identity else {
            return expired([LogField("id", id8(redemption.verdict.id))] + bookNotes)
        }
        let finding = Redemptions(context: context).finding(redemption)
        let notes =
            finding.notes + [LogField("session", waiting.attempt), LogField("way", "phone")] + bookNotes
        var answer = answer(finding.verdict == .granted ? nil : finding.words.text)
        try context.tellDevice(finding, redemption, in: &answer)
        let proved = Proved(identity: identity, waiting: waiting, notes: notes, answer: answer)
        guard finding.verdict == .granted else {
            if redemption.verdict.result != .locked, redemption.verdict.counting != .none {
                try await record(
                    "session.approve", proved: proved, verdict: finding.verdict, request: request)
            }
            return Response(finding.words.status, json: json(answer), notes: notes)
        }
        let isForeign = asked.notMe?.isOn == true
        if isForeign || asked.deny?.isOn == true {
            return try await deny(proved, isForeign: isForeign, request)
        }
        switch waiting {
        case .console(let session): return try await approve(session, proved: proved, request: request)
        case .browser(let browser): return try await approve(browser, proved: proved, request: request)
        // An application's code comes from another call.
        case .application: return expired(notes)
        }
    }

    /// The live session that the proof was made for, if the identity may approve it. nil for an application's
    /// session, whose code comes from another call.
    private func waiting(_ redemption: Redemption) async throws -> Waiting? {
        guard case .session(let wid) = redemption.verdict.purpose, let identity = redemption.identity,
            let waiting = try await context.storage.waiting(wid: wid), try waiting.takes(identity),
            try await !context.hasReported(waiting, identity)
        else { return nil }
        if case .application = waiting { return nil }
        return waiting
    }

    private func approve(
        _ session: SessionRecord, proved: Proved, request: Request
    ) async throws -> Response {
        let notes = proved.notes
        guard try await context.storage.host(session.host)?.epochs.contains(session.hostEpoch) == true else {
            return expired(notes + [LogField("refused", "host")])
        }
        let token = try context.randomText(16)
        guard try await context.storage.approve(approval(of: proved, token: token, request: request)) else {
            return expired(notes)
        }
        try await record("session.approve", proved: proved, verdict: .granted, request: request)
        return Response(
            200, json: json(try await granted(session, proved: proved, token: token)), notes: notes)
    }

    func approval(of proved: Proved, token: String, request: Request) -> Approval {
        Approval(
            wid: proved.waiting.wid, id: proved.identity.description.id, source: request.peer.source,
            tokenHash: SessionTokenHash(of: token))
    }

    /// The answer to an approval. Only the second device gets the approval code. A phone that is being bound
    /// has no login to end.
    private func granted(
        _ session: SessionRecord, proved: Proved, token: String
    ) async throws -> AuthenticateResponse {
        let opened = try await context.hostKey(session.host, session.hostEpoch)
        let wid = [UInt8](session.wid.utf8)
        switch try session.question().purpose {
        case .login:
            var answer = granted(proved, token)
            guard proved.identity.description.kind == .bound else { return answer }
            answer.code = plainText(try opened.key.phoneCode(a: session.a, wid: wid))
            return answer
        case .bind:
            var answer = proved.answer
            let id = proved.identity.description.id
            answer.code = plainText(try opened.key.bindCode(a: session.a, wid: wid, id: id))
            return answer
        }
    }

    /// - Parameter isForeign: the user says that somebody else began this login.
    private func deny(_ proved: Proved, isForeign: Bool, _ request: Request) async throws -> Response {
        var events = [try event("session.deny", proved: proved, verdict: .notApproved, request: request)]
        if isForeign {
            events.append(
                try event("session.reported", proved: proved, verdict: .notApproved, request: request))
        }
        guard try await end(proved, isForeign: isForeign, events) else { return expired(proved.notes) }
        return Response(
            200, json: json(proved.answer(saying: "Denied")),
            notes: proved.notes + [LogField("ended", "denied")])
    }

    /// Ends the session and records it; false if it has ended already.
    private func end(_ proved: Proved, isForeign: Bool, _ events: [AuditEvent]) async throws -> Bool {
        let id = proved.identity.description.id
        switch proved.waiting {
        case .console(let session) where try isForeign && session.question().namesSource:
            return try await context.storage.reportSession(
                .wid(session.wid), a: session.a, by: id, recording: events)
        case .console(let session):
            guard try await context.storage.endSession(.wid(session.wid), a: session.a, by: id) else {
                return false
            }
        case .browser(let browser):
            guard try await context.storage.endBrowser(wid: browser.wid, by: id) else { return false }
        case .application: return false
        }
        for event in events { try await context.storage.append(event) }
        return true
    }

    /// POST mpinLogout: 200 once, for the user and the token of a granted session; otherwise 400.
    func logOut(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(LogoutData.self, from: request.body), !asked.userId.utf8.contains(0),
            let (waiting, approver) = try await loggedOut(asked)
        else { return Response(400) }
        let fields = [AuditField("user", asked.userId), AuditField("from", request.peer.source)]
        try await context.storage.append(
            try waiting.event("session.logout", subject: approver.map(id8) ?? "", fields: fields))
        return Response(200, notes: [LogField("session", waiting.attempt)])
    }

    private func loggedOut(_ asked: LogoutData) async throws -> (Waiting, IdentityHash?)? {
        let tokenHash = SessionTokenHash(of: asked.sessionToken)
        if let session = try await context.storage.logOut(tokenHash: tokenHash, userID: asked.userId) {
            return (.console(session), session.approvedBy)
        }
        let browser = try await context.storage.logOutBrowser(tokenHash: tokenHash, userID: asked.userId)
        return browser.map { (.browser($0), $0.approver?.description.id) }
    }

    /// The answer for a session that is unknown, expired or used, or that the identity may not approve.
    func expired(_ notes: [LogField]) -> Response {
        Response(412, json: json(answer("Invalid or expired access number")), notes: notes)
    }

    /// An answer without `version`, like that of Milagro's server to this call.
    private func answer(_ message: String? = nil) -> AuthenticateResponse {
        var answer = AuthenticateResponse(message: message)
        answer.version = nil
        return answer
    }

    func granted(_ proved: Proved, _ token: String) -> AuthenticateResponse {
        var answer = proved.answer
        answer.logoutURL = Route.logout
        answer.logoutData =
            LogoutData(userId: proved.identity.description.userID, sessionToken: token).value
        return answer
    }

    func record(
        _ kind: String, proved: Proved, verdict: Verdict, request: Request
    ) async throws {
        try await context.storage.append(try event(kind, proved: proved, verdict: verdict, request: request))
    }

    private func event(
        _ kind: String, proved: Proved, verdict: Verdict, request: Request
    ) throws -> AuditEvent {
        let fields = [
            AuditField("verdict", verdict.words(of: proved.identity).log),
            AuditField("user", proved.identity.description.userID),
            try proved.waiting.about,
            AuditField("from", request.peer.source),
        ]
        return try proved.waiting.event(kind, subject: id8(proved.identity.description.id), fields: fields)
    }
}

extension Waiting {
    /// The attempt id, which names the session in logs.
    var attempt: String {
        switch self {
        case .console(let session): attemptText(session.a)
        case .browser(let browser): browserAttempt(browser.wid)
        case .application(let live): browserAttempt(live.session.wid)
        }
    }

    /// What the login is for. The field's name shows the source of the text: a page's text is never logged as
    /// an account.
    fileprivate var about: AuditField {
        get throws {
            switch self {
            case .console(let session):
                AuditField("account", shown(try session.question().account))
            case .browser(let browser): AuditField("page", shown([UInt8](browser.account.utf8)))
            case .application(let live): AuditField("app", live.application.name)
            }
        }
    }

    func event(_ kind: String, subject: String, fields: [AuditField]) throws -> AuditEvent {
        var (host, source) = ("", "")
        switch self {
        case .console(let session): (host, source) = (session.host, try session.question().source)
        case .browser(let browser): source = browser.source
        case .application(let live): source = live.source
        }
        return AuditEvent(
            kind: kind, subject: subject, host: host, source: source, attempt: attempt, fields: fields)
    }
}
