// SPDX-License-Identifier: Apache-2.0
// `mpin standing`: asks the server about the accounts with backup codes, and keeps its answers.
import ArgumentParser
import MPinAdmin

struct StandingCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "standing",
        abstract: "Ask the server which accounts with backup codes are revoked, and keep its answers.",
        discussion: """
            A timer runs this every ten minutes. While the server cannot be asked, a backup code is good \
            only if the answer that this host keeps is good and not older than 'backup-code-offline' of \
            mpin.conf.
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report { try StandingReport(asking: server.choice(store)) }
}
