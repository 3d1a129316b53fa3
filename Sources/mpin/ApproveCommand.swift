// SPDX-License-Identifier: Apache-2.0
// `mpin approve`: this device answers for a login that waits at a console elsewhere.
import ArgumentParser
import MPin
import MPinCurl
import MPinLogin
import MPinProof
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
    @OptionGroup var token: TokenOptions
    @ArgumentParser.Flag(help: "Refuse the login: it ends, whatever is typed at the console.") var deny =
        false
    @ArgumentParser.Flag(name: .shortAndLong, help: "Show the attempt id, which stands in every log.")
    var verbose = false
    @OptionGroup var pin: PINOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> ApproveReport {
        // Who has no token here is told so before he types anything.
        try token.checkEnrolled()
        let scanned = try scanned(try typed())
        let token = try token.token(at: scanned.origin)
        var line = try token.connected()
        let (identity, settings) = (token.identity, token.settings)
        let person = Approver(
            pin, prompt: deny ? "PIN, to refuse this: " : "PIN, if that is you: ", nothing: .nothingApproved)
        let proved = try token.prove(.console(scanned, denies: deny), over: &line, person)
        let report = try ApproveReport(proved, by: identity, isVerbose: verbose, settings)
        remember(proved, identity)
        return report
    }

    private func typed() throws(Failure) -> [UInt8] {
        if let code { return [UInt8](code.utf8) }
        return try SecretInput.openly(
            "Number on the console, or its address: ", otherwise: "Say the number: mpin approve NUMBER.")
    }

    /// For `mpin logout`. The letters are what counts: who cannot keep this is told so, and no more.
    private func remember(_ proved: Proved, _ identity: Identity) {
        guard let logout = proved.logout, let seen = proved.seen, !deny else { return }
        let one = Approved(
            attempt: proved.attempt, backend: identity.pin?.backend ?? [], logout: logout, seen: seen,
            time: currentTime())
        do throws(Failure) {
            let tokens = try PersonalStore.open(token.store)
            do throws(StoreError) {
                if let one { try tokens.store.remember(one, by: tokens.account) }
            } catch { throw Failure(error) }
        } catch { say("mpin: warning: 'mpin logout' will not know of this: \(error.sentence)") }
    }
}

func scanned(_ typed: [UInt8]) throws(Failure) -> Scanned {
    do { return try Scanned(typed) } catch {
        switch error {
        case .wrongNumber:
            throw Failure(
                .refused, "No console shows this number: it has seven digits, and one is wrong or missing.")
        case .notAnAddress:
            throw Failure(.refused, "This is neither a number of a console nor the address in its picture.")
        }
    }
}
