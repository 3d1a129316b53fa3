// SPDX-License-Identifier: Apache-2.0
// `mpin doctor`: looks at everything that a login needs, and says of each finding what to do about it.
import ArgumentParser
import MPinAdmin

extension ScreenMode: ExpressibleByArgument {}

struct DoctorCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what is wrong on this host, and say what to do.",
        discussion: """
            Looks at module, relay, settings, server, clock, phone page, store, PAM, sshd and sudo. Counts \
            as no attempt. The words in brackets are explained in mpin(1).

            EXIT STATUS: 0 no problem, 1 problems, 2 settings or store cannot be read.
            """)

    @Flag(help: "Repair what is safe to repair: modes of our files, and the store's marker.")
    var fix = false
    @Flag(name: .shortAndLong, help: "Show what is in order, too.") var verbose = false
    @Option(
        name: .customLong("screen"), defaultAsFlag: ScreenMode.every,
        help: ArgumentHelp(
            "Draw a test picture for a phone, in one way or in each, and look at nothing else.",
            valueName: "mode"))
    var screen: ScreenMode?
    @Option(help: ArgumentHelp("Settings, in place of /etc/mpin/mpin.conf.", valueName: "file"))
    var config: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> DoctorReport {
        let doctor = Doctor(config: config.map(absolute), store: store.given)
        if let screen { return try doctor.screens(screen) }
        return doctor.examine(mends: fix, verbose: verbose)
    }
}
