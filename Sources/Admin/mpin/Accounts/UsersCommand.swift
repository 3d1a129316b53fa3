// SPDX-License-Identifier: Apache-2.0
// `mpin users`: every account of this host that has an identity.
import ArgumentParser
import MPinAdmin

struct UsersCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "List who may log in on this host.")

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report { try UsersReport(from: store.path) }
}
