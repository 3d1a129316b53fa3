// SPDX-License-Identifier: Apache-2.0
// The user who types the PIN of a proof, what they are shown before it, and the result of that proof.
import FoundationEssentials
package import MPin
import MPinConsole
import MPinProof
import MPinWire
import Secrets

/// Shows the user what they are about to prove, and asks for the PIN.
struct Approver {
    let dialogue: Dialogue
    let prompt: String
    /// The failure if the user cancels.
    let nothing: Failure
    /// The number that the console shows, if it is known.
    let number: String?
    private(set) var shown: ApprovalDetails?
    /// Why the user gave no PIN; nil if they did.
    private(set) var failure: Failure?

    init(_ dialogue: Dialogue, prompt: String, nothing: Failure, number: String? = nil) {
        self.dialogue = dialogue
        self.number = number
        self.prompt = prompt
        self.nothing = nothing
    }

    /// The PIN; nil if the user cancels or it cannot be read: then nothing is proved and `failure` says why.
    mutating func answer(_ seen: ApprovalDetails?) -> Secret? {
        shown = seen
        let asked = dialogue.pin
        if asked.isTyped, let seen { for line in seen.lines(number) { dialogue.tell(line) } }
        do throws(Failure) { return try asked.answer(prompt) } catch {
            failure = error.kind == .cancelled ? nothing : error
            return nil
        }
    }
}

/// The result of a proof.
struct Proved {
    let outcome: ApprovalOutcome
    /// Whether the proof was sent to be redeemed.
    let isRedeemed: Bool
    let seen: ApprovalDetails?
    /// The attempt id of the console's login, if one waits.
    let attempt: [UInt8]
    let logout: Logout?
    let tries: Tries?
    let hasNoNotice: Bool

    /// The sentences about wrong PINs that the owner of the token reads.
    var notices: [String] {
        if hasNoNotice {
            return [
                "The server's notice of wrong PINs since your last login is missing or not authentic. "
                    + "The connection may be intercepted."
            ]
        }
        return tries.map { $0.sentences(on: .server) } ?? []
    }
}

extension ApprovalDetails {
    /// The details as lines of text. The server sent all of them, so each is untrusted and passes `cut`.
    /// - Parameter number: the access number of a login that the server listed; nil if the user brought it.
    package func lines(_ number: String? = nil) -> [String] {
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
        let all =
            rows + [("from", place), ("at", time)]
            + (number.map { [("with number", "\($0): your console must show the same")] } ?? [])
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
