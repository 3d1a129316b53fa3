// SPDX-License-Identifier: Apache-2.0
// A browser's calls for its session: POST getAccessNumber and getQrUrl open it, POST access polls its state.
import MPin
import MPinDatabase
import MPinWire
import Secrets

struct Browsers: Sendable {
    let context: ServiceContext

    enum Shown {
        case number, qr
    }

    /// Opens a session; 429 if too many live: of the source, of its network or in all.
    func open(_ request: Request, as shown: Shown) async throws -> Response {
        let asked = try? decoded(BrowserSessionRequest.self, from: request.body)
        guard request.body.isEmpty || asked != nil else { return Response(400) }
        // The page's text about itself, cut to what a phone can show.
        let account = String(String.UnicodeScalarView((asked?.prerollID ?? "").unicodeScalars.prefix(64)))
        let (wid, webOTT) = (try context.randomText(16), try context.randomText(16))
        let rules = context.settings.compatibility ?? Compatibility()
        let life = rules.accessNumberLife
        while true {
            let number: String?
            switch shown {
            case .number: number = try context.drawNumber(checked: rules.checksNumbers)
            case .qr: number = nil
            }
            let opened = try await context.storage.openBrowser(
                BrowserOpening(
                    wid: wid, number: number, account: account, requester: Requester(request.peer),
                    webOTTHash: WebTicketHash(of: webOTT),
                    authOTTHash: TicketHash(of: try context.authOTT(of: webOTT)),
                    life: life * Limits.second))
            switch opened {
            case .numberTaken: continue
            case .full: return .tooManySessions()
            case .opened(let at):
                // Whole seconds, as Milagro's server writes them.
                let start = Int(at / Limits.second * Limits.second)
                var answer = SessionResponse(ttlSeconds: Int(life), webOTT: webOTT)
                answer.localTimeStart = start
                answer.localTimeEnd = start + Int(life * Limits.second)
                answer.accessNumber = number
                answer.qrUrl = number == nil ? context.qrURL(wid) : nil
                return Response(200, json: json(answer), notes: [browserNote(wid)])
            }
        }
    }

    /// The state of the session. A user is named only after their proof, even if a device has chosen one (T
    /// 13).
    func access(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(AccessRequest.self, from: request.body) else { return Response(400) }
        let found = try await context.storage.browser(.webOTT(WebTicketHash(of: asked.webOTT)))
        guard let found else { return Response(200, json: json(AccessResponse(status: "expired"))) }
        let answer: AccessResponse =
            switch found.state {
            case .approved where found.isRedeemable:
                AccessResponse(
                    status: "authenticate", userId: found.approver?.description.userID ?? "",
                    authOTT: try context.authOTT(of: asked.webOTT))
            case .new where found.isLive: AccessResponse(status: "new")
            case .scanned where found.isLive: AccessResponse(status: "wid")
            case .chosen where found.isLive: AccessResponse(status: "user")
            case .new, .scanned, .chosen, .approved, .redeemed, .loggedOut, .ended:
                AccessResponse(status: "expired")
            }
        return Response(200, json: json(answer), notes: [browserNote(found.wid)])
    }
}

/// The log field that names a browser's session; it does not give access to the session.
func browserNote(_ wid: String) -> LogField { LogField("session", browserAttempt(wid)) }

/// The attempt id of a browser's session.
func browserAttempt(_ wid: String) -> String { attemptText(sha256([UInt8](wid.utf8))) }

extension ServiceContext {
    /// The authOTT that a browser redeems when a device has approved its session. It is derived from the
    /// webOTT, which only this browser has, so no device and no proof for another session can get it.
    fileprivate func authOTT(of webOTT: String) throws -> String {
        String(try secrets.application.signature("browser authOTT" + webOTT).prefix(32))
    }

    func qrURL(_ wid: String) -> String { (settings.publicURL ?? "") + "#" + wid }

    /// A random number of six digits and, if `checked`, a check digit. Numbers without a valid check digit
    /// are drawn again.
    func drawNumber(checked: Bool = true) throws -> String {
        while true {
            let drawn = sixDigits(try effects.random(8))
            guard checked else { return drawn }
            let digits = [UInt8](drawn.utf8)
            if let check = AccessNumber.checkDigit(of: digits) {
                return String(decoding: digits + [check], as: UTF8.self)
            }
        }
    }
}
