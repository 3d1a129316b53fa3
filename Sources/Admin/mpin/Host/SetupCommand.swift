// SPDX-License-Identifier: Apache-2.0
// `mpin setup`: from installed packages to the first login. It switches a service on only after a login has
// been proved to work.
import ArgumentParser
import MPinAdmin

struct SetupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set up M-Pin logins on this host, or remove them again.",
        discussion: """
            Asks for what is not given, shows every file before and after, tests one login through PAM, and
            only then switches the services on. `mpin setup --undo` restores their files as they were.
            """)

    @OptionGroup var options: SetupOptions
    @OptionGroup var pin: PINOptions
    @OptionGroup var code: CodeOptions
    @Flag(help: "Show what would be done, and change nothing.") var dryRun = false
    @Flag(help: "Ask for no confirmation.") var yes = false
    @Flag(help: "Switch M-Pin off: in the services named, or in all.") var undo = false
    @Flag(help: "Continue although root might have no other way to log in.") var noWayBack = false
    @Flag(help: "Continue although some accounts could no longer log in by ssh.")
    var shutOut = false
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> SetupReport {
        let showsProgress = !output.json
        var setup = Setup(Dialogue(pin: pin.pinFd, code: code.codeFd, showsProgress: showsProgress))
        (setup.backend, setup.host, setup.services) = (options.backend, options.host, options.service)
        (setup.factor, setup.unenrolled) = (options.factor, options.unenrolled)
        (setup.desktop, setup.users) = (options.desktop, options.user)
        setup.backupCodes = options.backupCodes
        setup.caFile = options.caFile.map(absolute)
        setup.phoneAddress = options.phoneAddress
        (setup.isDryRun, setup.isAgreed, setup.isForPrograms) = (dryRun, yes, output.json)
        (setup.waivesWayBack, setup.shutsOut) = (noWayBack, shutOut)
        return undo ? try setup.undo() : try setup.run()
    }
}
