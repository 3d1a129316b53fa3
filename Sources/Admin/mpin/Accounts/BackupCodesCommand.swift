// SPDX-License-Identifier: Apache-2.0
// `mpin backup-codes` makes or removes a set of backup codes; `mpin standing` asks the server about the
// accounts with codes.
import ArgumentParser
import MPinAdmin

struct BackupCodesCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "backup-codes",
        abstract: "Make codes that let an account log in without its PIN, its phone and the server.",
        discussion: """
            Each is valid once, on this host, in the services that 'backup-codes' of mpin.conf names. They \
            are shown now and never again, and a new set replaces the one before.
            """)

    @Argument(help: "The account; with --remove, also the uid of an account that no longer exists.")
    var user: String
    @Option(help: ArgumentHelp("How many: 1 to 16.", valueName: "n")) var count = BackupCodesChange.usualCount
    @Flag(help: "End the account's codes and make no new ones.") var remove = false
    @Option(help: ArgumentHelp("Settings, in place of /etc/mpin/mpin.conf.", valueName: "file"))
    var config: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...BackupCodesChange.largestCount).contains(count) else {
            throw ValidationError("A set has 1 to \(BackupCodesChange.largestCount) codes.")
        }
    }

    func act() throws(Failure) -> any Report {
        let change = BackupCodesChange(of: user, in: store.path)
        return remove ? try change.end() : try change.make(count, config: config.map(absolute))
    }
}

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
