// SPDX-License-Identifier: Apache-2.0
// `mpin session`: what waits under a number or an address, without an answer to it.
import ArgumentParser
import MPinAdmin

struct SessionCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Show which login waits at a console, and answer nothing.")

    @Argument(help: "The number on the console, or the address in its picture.") var code: String
    @OptionGroup var token: TokenOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> SessionReport { try SessionReport(code, with: token.choice) }
}
