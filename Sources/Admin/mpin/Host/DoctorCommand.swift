// SPDX-License-Identifier: Apache-2.0
// `mpin doctor`: checks everything that a login needs, and reports for each finding what to do about it.
import ArgumentParser
import MPinAdmin

extension ScreenMode: ExpressibleByArgument {}

struct DoctorCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find problems on this host, and explain what to do.",
        discussion: """
            Checks module, relay, settings, server, clock, phone page, store, PAM, sshd and sudo. The server \
            does not count this as an attempt. mpin(1) explains the words in brackets.

            EXIT STATUS: 0 no problem, 1 problems, 2 settings or store cannot be read.
            """)

    @Flag(help: "Repair what is safe to repair: modes of our files, and the store's marker.")
    var fix = false
    @Flag(name: .shortAndLong, help: "Show what is in order, too.") var verbose = false
    @Flag(help: "Show problems only, and nothing if there are none.") var problems = false
    @Option(
        name: .customLong("screen"), defaultAsFlag: ScreenMode.every,
        help: ArgumentHelp(
            "Draw a test QR code for a phone, in one drawing mode or in all, and check nothing else.",
            valueName: "mode"))
    var screen: ScreenMode?
    @Option(help: ArgumentHelp("Settings, in place of /etc/mpin/mpin.conf.", valueName: "file"))
    var config: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        let doctor = Doctor(config: config.map(absolute), store: store.given)
        if let screen { return try doctor.screens(screen) }
        var report = doctor.examine(mends: fix, verbose: verbose)
        report.showsOnlyProblems = problems
        return report
    }
}
