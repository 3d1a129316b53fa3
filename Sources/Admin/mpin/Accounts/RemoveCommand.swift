// SPDX-License-Identifier: Apache-2.0
// `mpin remove`: removes identities of an account from this host.
import ArgumentParser
import MPinAdmin

struct RemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an account's identities, or one of them, from this host.",
        discussion: "The server still knows them: `mpind user revoke NAME` ends them everywhere.")

    @Argument(help: "The account, or the uid of an account that no longer exists.") var user: String
    @Option(help: "The identity: its 64 hex digits, or the first eight.") var identity: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        try removeIdentities(of: user, only: identity, from: store.path)
    }
}
