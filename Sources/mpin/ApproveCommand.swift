// SPDX-License-Identifier: Apache-2.0
// `mpin approve`: this device answers for a login that waits at a console elsewhere.
import ArgumentParser
import MPin
import MPinCurl
import MPinLogin
import MPinWire
import Secrets

struct ApproveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a login that waits at a console, with your own token.",
        discussion: """
            Shows who wants to log in where, asks for your PIN, and prints the six letters that the console
            waits for. Enter alone approves nothing. Approve only what you began yourself, and tell the
            letters to nobody: they are for the console that you sit at.
            """)

    @Argument(help: "The number on the console, or the address in its picture; asked for if not given.")
    var code: String?
    @Option(
        help: ArgumentHelp("Which of your tokens: its name, id, or the first eight digits.", valueName: "id"))
    var identity: String?
    @Option(help: ArgumentHelp("Which of your tokens: the one for this server.", valueName: "address"))
    var backend: String?
    @ArgumentParser.Flag(help: "Refuse the login: it ends, and the console is told so.") var deny = false
    @ArgumentParser.Flag(name: .shortAndLong, help: "Show the attempt id, which stands in every log.")
    var verbose = false
    @OptionGroup var pin: PINOptions
    @Option(help: ArgumentHelp("The folder of tokens, in place of ~/.local/state/mpin.", valueName: "dir"))
    var store: String?
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> ApproveReport {
        let tokens = try PersonalStore.open(store)
        let file = try tokens.file()
        switch file {
        case .none: throw .enrolledNowhere
        case .some(let file):
            let choice = TokenChoice(identity: identity, backend: backend)
            _ = try choice.among(file.identities)
            let scanned = try scanned()
            return try approve(scanned, with: choice.one(of: file.identities, for: scanned), file)
        }
    }

    private func scanned() throws(Failure) -> Scanned {
        let typed =
            if let code { [UInt8](code.utf8) } else {
                try Asked.openly(
                    "Number on the console, or its address: ",
                    otherwise: "Say the number: mpin approve NUMBER.")
            }
        do { return try Scanned(typed) } catch {
            switch error {
            case .wrongNumber:
                throw Failure(.refused, "No console shows this number. Look again: it has seven digits.")
            case .notAnAddress:
                throw Failure(
                    .refused, "This is neither a number of a console nor the address in its picture.")
            }
        }
    }

    private func approve(
        _ scanned: Scanned, with identity: Identity, _ file: borrowing UserFile
    ) throws(Failure) -> ApproveReport {
        guard let token = identity.pin, let home = token.personal, let backend = Backend(token.backend) else {
            throw Failure(.store, "The token is not one for approvals.")
        }
        let settings = try personalSettings(token.backend, home)
        var approval = Approval(
            of: scanned, at: backend, by: try credential(identity, file), denies: deny)
        var line: CurlTransport
        do { line = try connected(settings) } catch { throw Failure(personal: .transport(error), settings) }
        var person = Approver(asked: .pin(pin), denies: deny)
        let outcome = drive(&approval, over: &line) { person.answer($0) }
        if let failure = person.failure { throw failure }
        return try ApproveReport(
            outcome, person.shown, by: identity, attempt: approval.attempt, isVerbose: verbose, settings)
    }

    private func credential(_ identity: Identity, _ file: borrowing UserFile) throws(Failure) -> Credential {
        let token: Token?
        do {
            token = try file.identities.firstIndex { $0.id == identity.id }.map { try file.token(at: $0) }
        } catch { throw Failure(.store, "The token cannot be read. Enrol this device again.") }
        guard let token,
            let credential = Credential(identity: identity, token: token, ids: [], hostKey: nil)
        else { throw .enrolledNowhere }
        return credential
    }
}

/// Who looks at what is to be approved and types the PIN.
private struct Approver {
    let asked: Asked
    let denies: Bool
    private(set) var shown: Seen?
    /// Why there was no answer.
    private(set) var failure: Failure?

    init(asked: Asked, denies: Bool) {
        self.asked = asked
        self.denies = denies
    }

    /// nil: broken off, with nothing approved.
    mutating func answer(_ seen: Seen) -> Secret? {
        shown = seen
        if asked.isTyped { for line in seen.lines { say(line) } }
        do throws(Failure) {
            return try asked.answer(denies ? "PIN, to refuse this: " : "PIN, if that is you: ")
        } catch {
            failure = error.trouble == .cancelled ? .nothingApproved : error
            return nil
        }
    }
}
