// SPDX-License-Identifier: Apache-2.0
// `mpin why`: how a login would begin and what decides it. It evaluates the same values as a login.
import ArgumentParser
import MPinAdmin

extension WhyCaller: ExpressibleByArgument {}

struct WhyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain which methods a login would offer, and what decides it.",
        discussion: """
            Reads stack, settings and store as the login does. Asks neither the user nor the server, \
            and does not count as an attempt.
            """)

    @Argument(help: "The account, as it would be typed.") var user: String
    @Option(help: ArgumentHelp("The PAM service.", valueName: "name")) var service: String
    @Option(help: ArgumentHelp("PAM_RHOST: where the user comes from.", valueName: "address"))
    var rhost: String?
    @Option(help: ArgumentHelp("PAM_TTY, such as tty1; for sshd it is always 'ssh'.", valueName: "name"))
    var tty: String?
    @Option(
        help: ArgumentHelp(
            "What calls PAM: a setuid program of a user, root's process at a terminal, a daemon, or a "
                + "program that runs as the user. (default: setuid for sudo and su, console for login, user "
                + "for screen lockers, else daemon)",
            valueName: "setuid|console|daemon|user"))
    var caller: WhyCaller?
    @Option(
        help: ArgumentHelp(
            "The uid of the user who started the program. (default: the account's)", valueName: "n"))
    var uid: UInt32?
    @Flag(help: "As if sshd had accepted a public key.") var key = false
    @Option(
        help: ArgumentHelp(
            "An argument of the module, such as method=pin, in place of those in /etc/pam.d. May repeat.",
            valueName: "key=value"))
    var argument: [String] = []
    @Option(help: ArgumentHelp("Settings, in place of /etc/mpin/mpin.conf.", valueName: "file"))
    var config: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        var question = LoginQuestion(of: user, by: service)
        (question.rhost, question.tty, question.caller, question.uid) = (rhost, tty, caller, uid)
        (question.hasKey, question.arguments) = (key, argument)
        (question.config, question.store) = (config.map(absolute), store.given)
        return try question.explain()
    }
}
