// SPDX-License-Identifier: Apache-2.0
// `mpin approve`: this device approves or refuses a login that waits at a console.
import MPinLogin
import MPinProof
import MPinHostStore

/// An approval or refusal of a waiting login, with the user's own token.
package struct ConsoleApproval {
    private let choice: TokenChoice
    private let isDenied: Bool
    private let dialogue: Dialogue

    /// An approval with the chosen token, or a refusal if `denies` is true.
    package init(with token: TokenChoice, denies: Bool, _ dialogue: Dialogue) {
        (choice, isDenied, self.dialogue) = (token, denies, dialogue)
    }

    /// Shows the login that waits under a number or address, asks for the PIN, and answers the login. If
    /// `code` is nil, asks for the number first. `isVerbose` shows the attempt id. Throws if the login was
    /// not answered.
    package func answer(_ code: String?, isVerbose: Bool) throws(Failure) -> ApproveReport {
        // Users without a token here learn that before they type anything.
        try choice.checkEnrolled()
        let scanned = try scanned(try typed(code))
        let token = try choice.token(at: scanned.origin)
        var line = try token.connected()
        let (identity, settings) = (token.identity, token.settings)
        let person = Approver(
            dialogue, prompt: isDenied ? "PIN, to refuse this: " : "PIN, if that is you: ",
            nothing: .nothingApproved)
        let proved = try token.prove(.console(scanned, denies: isDenied), over: &line, person)
        let report = try ApproveReport(proved, by: identity, isVerbose: isVerbose, settings)
        remember(proved, identity)
        return report
    }

    private func typed(_ code: String?) throws(Failure) -> [UInt8] {
        if let code { return [UInt8](code.utf8) }
        return try dialogue.ask(
            "Number on the console, or its address: ", otherwise: "Give the number: mpin approve NUMBER.")
    }

    /// Keeps the approval for `mpin logout`. If that fails, the user gets a warning only: the approval code
    /// matters more.
    private func remember(_ proved: Proved, _ identity: Identity) {
        guard let logout = proved.logout, let seen = proved.seen, !isDenied else { return }
        let one = Approved(
            attempt: proved.attempt, backend: identity.pin?.backend ?? [], logout: logout, seen: seen,
            time: currentTime())
        do throws(Failure) {
            let tokens = try PersonalStore.open(choice.store)
            if let one { try Failure.ofStore(tokens.store.remember(one, by: tokens.account)) }
        } catch { dialogue.tell("mpin: warning: 'mpin logout' will not know of this: \(error.sentence)") }
    }
}

/// Reads the number or address that the user gave.
func scanned(_ typed: [UInt8]) throws(Failure) -> Scanned {
    do { return try Scanned(typed) } catch {
        switch error {
        case .wrongNumber:
            throw Failure(
                .refused, "No console shows this number: it has seven digits, and one is wrong or missing.")
        case .notAnAddress:
            throw Failure(.refused, "This is neither a number of a console nor the address in its QR code.")
        }
    }
}
