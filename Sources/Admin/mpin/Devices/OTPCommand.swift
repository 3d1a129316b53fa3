// SPDX-License-Identifier: Apache-2.0
// `mpin otp`: gets a one-time password for a console that asks for one.
import ArgumentParser
import MPinAdmin

struct OTPCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Get a one-time password, with your own token.",
        discussion: """
            Asks for your PIN, and prints six digits for a console that asks for a one-time password. They are
            valid once and for a short time; a newer password ends an older one. Do not tell them to anyone.
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

    func act() throws(Failure) -> any Report {
        var options = token
        options.identity = named ?? token.identity
        return try options.choice.password(Dialogue(pin: pin.pinFd))
    }
}
