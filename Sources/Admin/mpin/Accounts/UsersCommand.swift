// SPDX-License-Identifier: Apache-2.0
// `mpin users` and `mpin show`: the accounts of this host that have an identity.
import ArgumentParser
import MPinAdmin

struct UsersCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "List who may log in on this host.")

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report { try UsersReport(from: store.path) }
}

struct ShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the identities of one account.")

    @Argument(help: "The account.") var user: String
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report { try UserReport.read(user, from: store.path) }
}
