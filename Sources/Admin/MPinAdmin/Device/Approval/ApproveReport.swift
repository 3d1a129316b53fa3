// SPDX-License-Identifier: Apache-2.0
// The report of `mpin approve`.
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

/// The result of an approval or a refusal.
package struct ApproveReport: Report {
    let approved: Bool
    let denied: Bool
    /// The approval code, six letters, for the console; nil for a browser.
    private(set) var code: String?
    let identity: String
    private(set) var host: String?
    private(set) var service: String?
    private(set) var account: String?
    /// The text that a web page gives about itself.
    private(set) var page: String?
    private(set) var source: String?
    private(set) var time: String?
    private(set) var attempt: String?
    /// The wrong tries before this proof.
    let tries: TriesReport?
    private let notices: [String]
    private let isShown: Bool

    enum CodingKeys: CodingKey {
        case approved, denied, code, identity, host, service, account, page, source, time, attempt, tries
    }

    /// Throws unless the outcome is an approval or a refusal: only these have a report.
    init(
        _ proved: Proved, by identity: Identity, isVerbose: Bool, _ settings: Settings
    ) throws(Failure) {
        switch proved.outcome {
        case .approved(let code):
            (approved, denied) = (true, false)
            self.code = code.isEmpty ? nil : text(code)
        case .denied: (approved, denied) = (false, true)
        case .declined, .noSession, .otherOrigin, .otherSession, .application, .wrongPIN, .locked, .blocked,
            .secretExpired, .notUnderstood, .unproved, .noRefusal, .authorised, .password:
            if case .unproved(.unavailable(let why)) = proved.outcome, proved.isRedeemed {
                throw .unanswered(why, settings)
            }
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

    /// What the user does next, then the attempt id if it is wanted, then the notices.
    package var lines: [String] {
        var lines = [denied ? "Refused: that login is over." : next]
        if isShown, let attempt { lines.append("Attempt \(attempt).") }
        return lines + notices
    }

    /// The next step, with the code as `JQK-KMG`. A browser asks for no code, nor does a console that takes a
    /// Milagro client's proof.
    private var next: String {
        guard let code else {
            return service.map { [UInt8]($0.utf8) } == ApprovalDetails.browserService
                ? "Approved: the browser goes on by itself." : "Approved: press Enter at the console."
        }
        let grouped = "\(code.prefix(3))-\(code.dropFirst(3))"
        guard service.map({ [UInt8]($0.utf8) }) == SealedQuestion.bindService else {
            return "Type this approval code at the console: \(grouped)"
        }
        return "Type this approval code below the QR code: \(grouped). Never tell it to anyone by telephone. "
            + "This device's id begins with \(identity.prefix(8))."
    }
}
