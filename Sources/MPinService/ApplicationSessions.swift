// SPDX-License-Identifier: Apache-2.0
// An application's session as a device sees it: its name, and what the device shows and proves.
import MPin
import MPinStorage
import MPinWire

extension Backend {
    /// In place of a console's service.
    private static let service = [UInt8]("application".utf8)

    func applicationSession(named text: String) async throws -> LiveApplicationSession? {
        guard case .wid(let wid) = SessionName(text) else { return nil }
        return try await storage.applicationSession(wid)
    }

    /// What a device shows: in words, and as `seen`.
    func details(_ live: LiveApplicationSession, _ request: Request) -> Response? {
        let now = UInt64(clamping: live.readAt / Limits.second)
        guard let seen = seen(live, request, at: now) else { return nil }
        var answer = CodeStatusResponse(appName: shown([UInt8](live.application.name.utf8)), logoURL: "")
        answer.seen = HexOctets(seen.octets)
        return Response(200, json: json(answer), notes: [LogField("app", live.application.name)])
    }

    /// The live session that a `seen` is about, if this server would write that very `seen` for it at a time
    /// within its life.
    func applicationSession(seen octets: [UInt8], _ request: Request) async throws -> LiveApplicationSession?
    {
        guard let shown = Seen(decoding: octets), let wid = String(validating: shown.wid, as: UTF8.self),
            let live = try await applicationSession(named: wid)
        else { return nil }
        let life = live.openedAt / Limits.second...live.expiresAt / Limits.second
        guard life.contains(Int64(clamping: shown.seconds)),
            seen(live, request, at: shown.seconds) == shown
        else { return nil }
        return live
    }

    private func seen(_ live: LiveApplicationSession, _ request: Request, at seconds: UInt64) -> Seen? {
        guard let origin = origin(of: request) else { return nil }
        return Seen(
            origin: [UInt8](origin.utf8), wid: [UInt8](live.session.wid.utf8),
            host: [UInt8](live.application.name.utf8), service: Backend.service, account: [],
            source: [UInt8](live.session.source.utf8), seconds: seconds)
    }
}
