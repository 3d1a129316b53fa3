// SPDX-License-Identifier: Apache-2.0
// `mpin session`: shows the login that waits under a number or an address, or all that wait for this device,
// without approving any.
import ArgumentParser
import MPinAdmin

struct SessionCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Show which login waits at a console, without approving it.",
        discussion: "Without a number or an address it lists all that wait for your tokens.")

    @Argument(help: "The number on the console, or the address in its QR code.") var code: String?
    @OptionGroup var token: TokenOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        guard let code else { return try WaitingReport(with: token.choice) }
        return try SessionReport(code, with: token.choice)
    }
}
