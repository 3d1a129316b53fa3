// SPDX-License-Identifier: Apache-2.0
// The lines that show a user which login waits for approval, before the PIN prompt.
import FoundationEssentials
package import MPin

extension ApprovalDetails {
    /// The details as lines of text. The server sent all of them, so each is untrusted and passes `cut`.
    package var lines: [String] {
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

    /// The page's text in its own paragraph, apart from the details that the server vouches for.
    private var quotation: [String] {
        page.isEmpty ? [] : ["", "The page says, and nobody checked it:", "", "    \"\(pageText)\""]
    }

    /// The page's text on one line: nothing in it can end the quotation or start a new line.
    var pageText: String {
        cut(page).split(separator: " ").joined(separator: " ").replacing("\"", with: "'")
    }

    var time: String { Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601) }

    /// The source in plain words. A source that is not an address is the uid of a user at the host, with the
    /// terminal or service if the uid is root's. A page or an application connects to the server itself, so
    /// there the uid is one of the server's machine, such as a proxy's.
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
