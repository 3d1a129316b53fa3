// SPDX-License-Identifier: Apache-2.0
// `mpin host join`: gets the host key that the server sealed under a join code, and stores it.
import ArgumentParser
import MPinAdmin

struct JoinCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Get this host's key from the server, by a join code.",
        discussion: "On the server, `mpind host add NAME` (or `mpind host rotate NAME`) prints the code.")

    @Argument(help: "The name that the server has given this host.") var name: String
    @OptionGroup var code: CodeOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        try joinHost(as: name, at: server.choice(store), Dialogue(code: code.codeFd))
    }
}
