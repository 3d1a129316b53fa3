// SPDX-License-Identifier: Apache-2.0
// The options that choose which of the user's own tokens a command uses.
import ArgumentParser
import MPinAdmin

struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Which of your tokens: its name, id, or the first eight digits.", valueName: "id"))
    var identity: String?
    @Option(help: ArgumentHelp("Which of your tokens: the one for this server.", valueName: "address"))
    var backend: String?
    @Option(help: ArgumentHelp("The folder of tokens, in place of ~/.local/state/mpin.", valueName: "dir"))
    var store: String?

    var choice: TokenChoice { TokenChoice(identity: identity, backend: backend, store: store.map(absolute)) }
}
