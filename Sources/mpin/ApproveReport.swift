// SPDX-License-Identifier: Apache-2.0
// What `mpin approve` shows before it asks, and what it tells at its end.
import FoundationEssentials
import MPin
import MPinConsole
import MPinLogin
import MPinProof
import MPinWire

extension ApprovalDetails {
    /// As the server wrote it, in plain words; every text is foreign.
    var lines: [String] {
        let rows: [(String, String)]
        let asks: String
        switch service {
        case ApprovalDetails.applicationService:
            (asks, rows) = ("An application asks who you are:", [("named", cut(host))])
        case ApprovalDetails.browserService:
            (asks, rows) = ("Somebody wants to log in to a web page:", [("at the server", cut(host))])
        case SealedQuestion.bindService:
            (asks, rows) = (
                "Somebody wants this device to approve logins from now on:",
                [("to the host", cut(host)), ("as", cut(account))]
            )
        default:
            (asks, rows) = (
                "Somebody wants to log in:",
                [("to the host", cut(host)), ("as", cut(account)), ("by", cut(service))]
            )
        }
        let all = rows + [("from", place), ("at", time)]
        return ["", asks, ""] + all.map { "    " + padded($0) } + quotation + [
            "", "If you did not begin this yourself, press Enter.",
        ]
    }

    /// Apart from what others vouch for.
    private var quotation: [String] {
        page.isEmpty ? [] : ["", "The page says, and nobody checked it:", "", "    \"\(pageText)\""]
    }

    /// What a page says, on one line: nothing in it can end the quotation, or push its rest to a line of its
    /// own.
    var pageText: String {
        cut(page).split(separator: " ").joined(separator: " ").replacing("\"", with: "'")
    }

    var time: String { Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601) }

    /// A source that is no address is the uid of somebody at the host, with the terminal or service where it
    /// is root's. A page or an application comes to the server itself, so there it is a uid of that machine,
    /// such as a proxy's.
    private var place: String {
        let source = cut(source)
        guard source.hasPrefix("local:") else { return source }
        let parts = source.dropFirst(6).split(separator: ":", maxSplits: 1)
        let uid = "uid \(parts.first ?? "")" + (parts.count > 1 ? " (\(parts[1]))" : "")
        let isHosts =
            service != ApprovalDetails.applicationService && service != ApprovalDetails.browserService
        return isHosts ? "the host itself, \(uid)" : "a program on the server's machine, \(uid)"
    }
}

private func padded(_ row: (String, String)) -> String {
    row.0 + String(repeating: " ", count: max(1, 15 - row.0.count)) + row.1
}

struct ApproveReport: Report {
    let approved: Bool
    let denied: Bool
    /// Six letters, for the console; none for a browser.
    private(set) var code: String?
    let identity: String
    private(set) var host: String?
    private(set) var service: String?
    private(set) var account: String?
    /// What a web page says about itself.
    private(set) var page: String?
    private(set) var source: String?
    private(set) var time: String?
    private(set) var attempt: String?
    /// The wrong PINs before this proof.
    let tries: TriesReport?
    private let notices: [String]
    private let isShown: Bool

    enum CodingKeys: CodingKey {
        case approved, denied, code, identity, host, service, account, page, source, time, attempt, tries
    }

    /// Nothing but an approval or a refusal with a proof has a report.
    init(
        _ proved: Proved, by identity: Identity, isVerbose: Bool, _ settings: Settings
    ) throws(Failure) {
        switch proved.outcome {
        case .approved(let letters):
            (approved, denied) = (true, false)
            code = letters.isEmpty ? nil : text(letters)
        case .denied: (approved, denied) = (false, true)
        case .declined, .noSession, .otherOrigin, .otherSession, .wrongPIN, .locked, .blocked, .secretExpired,
            .notUnderstood, .unproved, .authorised, .password:
            throw Failure(proved.outcome, settings)
        }
        self.identity = hexText(identity.id)
        attempt = hexText(proved.attempt)
        tries = proved.tries.map(TriesReport.init)
        notices = proved.notices
        isShown = isVerbose
        guard let seen = proved.seen else { return }
        host = cut(seen.host)
        service = cut(seen.service)
        if !seen.account.isEmpty { account = cut(seen.account) }
        if !seen.page.isEmpty { page = seen.pageText }
        source = cut(seen.source)
        time = seen.time
    }

    var lines: [String] {
        var lines = [denied ? "Refused: that login is over." : next]
        if isShown, let attempt { lines.append("Attempt \(attempt).") }
        return lines + notices
    }

    /// `JQK-KMG`; a browser asks for no letters, nor does a console that takes a Milagro client's proof.
    private var next: String {
        guard let code else {
            return service.map { [UInt8]($0.utf8) } == ApprovalDetails.browserService
                ? "Approved: the browser goes on by itself." : "Approved: press Enter at the console."
        }
        let letters = "\(code.prefix(3))-\(code.dropFirst(3))"
        guard service.map({ [UInt8]($0.utf8) }) == SealedQuestion.bindService else {
            return "Type these letters at the console: \(letters)"
        }
        return "Type these letters below the picture: \(letters). Tell them to nobody by telephone. "
            + "This device's id begins with \(identity.prefix(8))."
    }
}

extension Failure {
    static let nothingApproved = Failure(.cancelled, "Nothing was approved.")

    /// - Parameter nothing: what did not come about, in a sentence.
    init(_ outcome: ApprovalOutcome, _ settings: Settings, nothing: String = "Nothing was approved.") {
        switch outcome {
        case .approved, .denied, .authorised, .password:
            self.init(.broken, "The server's answer does not fit what was asked.")
        case .declined: self.init(.cancelled, nothing)
        case .noSession:
            self.init(
                .refused,
                "No login of yours waits under this number. It may be over, or somebody else's: look at the "
                    + "console. If you asked for ten numbers within a minute, wait for a minute.")
        case .otherOrigin: self = .otherBackend
        case .otherSession:
            self.init(
                .broken, "The server speaks of another login than this one. Somebody may be in between.")
        case .wrongPIN(let left):
            self.init(.refused, "\(explained(.wrongPIN(triesLeft: left))) \(nothing)")
        case .locked(.none):
            self.init(
                .refused,
                "The server refuses this device: it is locked, revoked or suspended. Ask your administrator "
                    + "which. \(nothing)")
        case .locked(let seconds): self.init(.refused, explained(.blocked(seconds: seconds, help: nil)))
        case .blocked:
            self.init(.refused, "Too many wrong PINs: an administrator must unlock you.")
        case .secretExpired: self.init(.refused, "Your token has ended. Enrol this device again.")
        case .notUnderstood(let status):
            self.init(.broken, "\(nothing.dropLast()): \(explained(status: status, settings))")
        case .unproved(let why):
            self = Failure(personal: why, settings) ?? Failure(.broken, "The approval ended too early.")
        }
    }
}

/// What others wrote about a login, as short as the console's own module shows it.
func cut(_ foreign: [UInt8]) -> String { text(foreign, limit: 64) }
