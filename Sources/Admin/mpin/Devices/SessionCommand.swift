// SPDX-License-Identifier: Apache-2.0
// `mpin session`: shows the login that waits under a number or an address, without approving it.
import ArgumentParser
import MPinAdmin

struct SessionCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Show which login waits at a console, without approving it.")

    @Argument(help: "The number on the console, or the address in its QR code.") var code: String
    @OptionGroup var token: TokenOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report { try SessionReport(code, with: token.choice) }
}
