// SPDX-License-Identifier: Apache-2.0
// What a second device is shown of a waiting login: as text for Milagro's devices, and as `seen` for ours.
import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

/// A waiting login, in the texts that users read.
private struct Asker {
    let host: [UInt8]
    let service: [UInt8]
    /// For a browser, what its page says about itself.
    let account: [UInt8]
    let source: [UInt8]
    let attempt: String
    let openedAt: UnixMilliseconds

    /// The user whom a browser's page expects, according to the page.
    var prerollID: String {
        service == ApprovalDetails.browserService ? presentable(String(decoding: account, as: UTF8.self)) : ""
    }

    /// One line for the screen of a phone; for an application its name. The line leaves out what a page says
    /// about itself, because a phone could not show it as a stranger's text.
    var line: String {
        guard service != ApprovalDetails.applicationService else { return shown(host) }
        let isBrowser = service == ApprovalDetails.browserService
        let who = account.isEmpty || isBrowser ? "" : " for \(shown(account))"
        return "\(shown(service))\(who) on \(shown(host)), from \(shown(source))"
    }
}

extension ServiceContext {
    /// The details of a waiting login; nil if this server has no address for them.
    ///
    /// - Parameter isAsked: whether the session asks the device that sent the request; nil for a stranger's.
    func details(
        _ waiting: Waiting, wid: String, isAsked: Bool?, _ request: Request
    ) throws -> Response? {
        let asker = try asker(waiting)
        guard let details = details(asker, wid: wid, request) else { return nil }
        var answer = CodeStatusResponse(
            prerollID: asker.prerollID, appName: asker.line, logoURL: settings.service.iconURL)
        answer.seen = HexOctets(details.octets)
        answer.attempt = asker.attempt
        answer.asked = isAsked
        if case .console(let session) = waiting { answer.life = session.lifeSeconds }
        return Response(200, json: json(answer), notes: [LogField("session", asker.attempt)])
    }

    /// The same details as an entry of the list of what waits.
    func entry(of listed: ListedSession, _ request: Request) throws -> WaitingLogin? {
        let session = listed.session
        let asker = try asker(.console(session))
        guard let details = details(asker, wid: session.wid, request) else { return nil }
        return WaitingLogin(
            seen: HexOctets(details.octets), wid: session.wid, number: listed.number,
            life: session.lifeSeconds, attempt: asker.attempt)
    }

    /// The live session that a `seen` is about, if this server would write exactly that `seen` for it.
    func waiting(seen octets: [UInt8], _ request: Request, for requester: Requester) async throws -> Waiting?
    {
        guard let shown = ApprovalDetails(decoding: octets),
            let wid = String(validating: shown.wid, as: UTF8.self),
            let name = SessionName(wid),
            let waiting = try await storage.waiting(name, for: requester, counting: .misses)
        else { return nil }
        let asker = try asker(waiting)
        guard details(asker, wid: wid, request) == shown else { return nil }
        return waiting
    }

    private func asker(_ waiting: Waiting) throws -> Asker {
        switch waiting {
        case .console(let session):
            let question = try session.question()
            return Asker(
                host: [UInt8](question.host.utf8), service: question.service, account: question.account,
                source: question.seat,
                attempt: question.attempt, openedAt: session.openedAt)
        case .browser(let browser):
            return Asker(
                host: browserHost, service: ApprovalDetails.browserService,
                account: [UInt8](browser.account.utf8),
                source: [UInt8](browser.source.utf8), attempt: browserAttempt(browser.wid),
                openedAt: browser.openedAt)
        case .application(let live):
            return Asker(
                host: [UInt8](live.application.name.utf8), service: ApprovalDetails.applicationService,
                account: [],
                source: [UInt8](live.source.utf8), attempt: browserAttempt(live.session.wid),
                openedAt: live.openedAt)
        }
    }

    /// The host that is shown for a browser's session: this server's own, as no other is known.
    private var browserHost: [UInt8] {
        let name = settings.publicURL?.split(separator: "/").last.map { String($0) }
        return [UInt8]((name ?? "browser").utf8)
    }

    /// The approval details. Their time is that of the login, not of the request for details: an old login
    /// looks old.
    private func details(_ asker: Asker, wid: String, _ request: Request) -> ApprovalDetails? {
        guard let origin = origin(of: request) else { return nil }
        return ApprovalDetails(
            origin: [UInt8](origin.utf8), wid: [UInt8](wid.utf8), host: asker.host, service: asker.service,
            account: asker.account, source: asker.source,
            seconds: UInt64(clamping: asker.openedAt / Limits.second))
    }

    /// The origin by which the device knows this server: `unix`, or `public-url`, also behind a proxy.
    func origin(of request: Request) -> String? {
        switch request.peer {
        case .local where request.host == RequestPolicy.localName: "unix"
        case .local, .address: settings.publicURL
        }
    }
}

extension SessionRecord {
    /// The whole life.
    fileprivate var lifeSeconds: Int { Int((expiresAt - openedAt) / Limits.second) }
}

/// A text that strangers may have typed, made safe for the screen of a phone: printable ASCII, limited in
/// length.
func shown(_ text: [UInt8]) -> String {
    String(decoding: presentable(text), as: UTF8.self)
}
