// SPDX-License-Identifier: Apache-2.0
// `mpin logout`: ends the logins that this device has approved.
import ArgumentParser
import MPinAdmin

struct LogoutCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Tell the server that logins which this device approved are over.",
        discussion: "Ends all logins that this device remembers, at most sixteen, or one by its attempt id.")

    @Option(help: ArgumentHelp("Only the login with this id ('mpin approve -v').", valueName: "id"))
    var attempt: String?
    @Option(help: ArgumentHelp("The folder of tokens, in place of ~/.local/state/mpin.", valueName: "dir"))
    var store: String?
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report { try LogoutReport.end(attempt, store: store.map(absolute)) }
}
