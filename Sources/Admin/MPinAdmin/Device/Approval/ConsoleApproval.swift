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
    /// `code` is nil, it is the login that waits for the user's tokens; if there are several, the user
    /// chooses. `isVerbose` shows the attempt id. Throws if the login was not answered.
    package func answer(_ code: String?, isVerbose: Bool) throws(Failure) -> ApproveReport {
        // Users without a token here learn that before they type anything.
        try choice.checkEnrolled()
        if let code { return try answer(try scanned([UInt8](code.utf8)), isVerbose: isVerbose) }
        // Nobody has seen what a program would approve.
        guard dialogue.pin.isTyped else { throw .unnamed }
        let report = try WaitingReport(with: choice)
        for failure in report.failures { dialogue.tell("mpin: warning: \(failure.sentence)") }
        guard let first = report.waiting.first else { throw .nothingWaits }
        let login = report.waiting.count == 1 ? first : try chosen(of: report.waiting)
        return try answer(login.scanned, of: login, isVerbose: isVerbose)
    }

    /// - Parameter login: the login in the list of those that wait, if the session comes from there.
    private func answer(
        _ scanned: Scanned, of login: ListedLogin? = nil, isVerbose: Bool
    ) throws(Failure) -> ApproveReport {
        let token = try choice.token(at: scanned.origin, of: login?.identity)
        var line = try token.connected()
        let (identity, settings) = (token.identity, token.settings)
        let person = Approver(
            dialogue, prompt: isDenied ? "PIN, to refuse this: " : "PIN, if that is you: ",
            nothing: .nothingApproved, number: login?.groupedNumber)
        let proved = try token.prove(.console(scanned, denies: isDenied), over: &line, person)
        let report = try ApproveReport(proved, by: identity, isVerbose: isVerbose, settings)
        remember(proved, identity)
        return report
    }

    /// Shows the logins, and asks which one until the user names one of them.
    private func chosen(of logins: [ListedLogin]) throws(Failure) -> ListedLogin {
        dialogue.tell("Several logins wait, and others may have begun some. Yours has your console's number.")
        for line in [""] + ListedLogin.table(logins) + [""] { dialogue.tell(line) }
        while true {
            let typed = try dialogue.ask(
                "Which one (1 to \(logins.count), or its number)? ", otherwise: Failure.unnamed.sentence)
            let digits = text(typed.filter { $0 != 0x20 && $0 != 0x2d })
            guard !digits.isEmpty else { throw .nothingApproved }
            if let index = Int(digits), logins.indices.contains(index - 1) { return logins[index - 1] }
            if let login = logins.first(where: { $0.number == digits }) { return login }
            dialogue.tell("That is none of them. If yours is not there, press Enter.")
        }
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
