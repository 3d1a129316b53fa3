// SPDX-License-Identifier: Apache-2.0
// `mpin show`: one account of this host and its identities.
import ArgumentParser
import MPinAdmin

struct ShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the identities of one account.")

    @Argument(help: "The account.") var user: String
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report { try UserReport.read(user, from: store.path) }
}
