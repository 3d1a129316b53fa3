// SPDX-License-Identifier: Apache-2.0
// `mpin approve`: approves or refuses, with a token on this device, a login that waits at a console.
import ArgumentParser
import MPinAdmin

struct ApproveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a login that waits at a console, with your own token.",
        discussion: """
            Shows who wants to log in where, asks for your PIN, and prints the approval code that the
            console waits for. Enter alone approves nothing. Approve only what you began yourself, and do not
            tell the code to anyone: it is for the console that you sit at.

            Without a number or an address it shows the login that waits for your tokens. If there are
            several, it lists them and asks which: yours has the number that your console shows.
            """)

    @Argument(help: "The number on the console, or the address in its QR code.")
    var code: String?
    @OptionGroup var token: TokenOptions
    @Flag(help: "Refuse the login: it ends, whatever is typed at the console.") var deny =
        false
    @Flag(name: .shortAndLong, help: "Show the attempt id, which is in every log.")
    var verbose = false
    @OptionGroup var pin: PINOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        try ConsoleApproval(with: token.choice, denies: deny, Dialogue(pin: pin.pinFd))
            .answer(code, isVerbose: verbose)
    }
}
