// SPDX-License-Identifier: Apache-2.0
// `mpin allow`: permits an identity that was registered elsewhere to log in to an account, or relabels one.
import ArgumentParser
import MPinAdmin

extension WayName: ExpressibleByArgument {}

struct AllowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Let a second device log in to an account, or relabel an identity.",
        discussion: """
            Name a new identity in full: an attacker can make another one with the same first eight digits. A
            PIN on this host is made by `mpin enroll USER --identity ID`, or with --here.
            """)

    @Argument(help: "The account.") var user: String
    @Argument(help: "64 hex digits, or the first eight of an identity that the account has.") var identity:
        String
    @Option(help: "Where the user types the PIN: here (pin), or on a second device (phone).") var way: WayName
    @Option(help: ArgumentHelp("How the identity is shown to users.", valueName: "text")) var label: String
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        try Allowance(of: identity, to: user, by: way, label: label).write(to: store.given)
    }
}
