// SPDX-License-Identifier: Apache-2.0
// `mpin otp`: a one-time password, for consoles that ask for one.
import ArgumentParser
import MPinLogin
import MPinProof
import MPinWire

struct OTPCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Take a one-time password, with your own token.",
        discussion: """
            Asks for your PIN, and prints six digits for a console that asks for a one-time password. They are
            good once and for a short time; a newer password ends an older one. Do not tell them to anybody.
            """)

    @Argument(
        help: ArgumentHelp("Which of your tokens: its name, id, or the first eight digits.", valueName: "id"))
    var named: String?
    @OptionGroup var token: TokenOptions
    @OptionGroup var pin: PINOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard named == nil || token.identity == nil else {
            throw ValidationError("Name the token as an argument or by --identity, not both.")
        }
    }

    func act() throws(Failure) -> OTPReport {
        var options = token
        options.identity = named ?? token.identity
        let token = try options.token()
        let (identity, settings) = (token.identity, token.settings)
        try SecretInput.pin(pin).checkServer(personal: settings)
        var line = try token.connected()
        let person = Approver(
            pin, prompt: "PIN for \(text(identity.label)): ",
            nothing: Failure(.cancelled, "No password was taken."))
        let proved = try token.prove(.password, over: &line, person)
        guard case .password(let digits, let seconds) = proved.outcome else {
            throw Failure(proved.outcome, settings, nothing: "There is no password.")
        }
        for notice in proved.notices { say(notice) }
        return OTPReport(otp: text(digits), seconds: seconds, identity: hexText(identity.id))
    }
}

struct OTPReport: Report {
    let otp: String
    let seconds: Int
    let identity: String

    var lines: [String] { ["\(otp.prefix(3)) \(otp.dropFirst(3)), good once and for \(seconds) seconds."] }
}
