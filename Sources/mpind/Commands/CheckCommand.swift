// SPDX-License-Identifier: Apache-2.0
// `mpind check`: whether the server would start with its settings.
import ArgumentParser
import MPinService

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the settings.",
        discussion: """
            Reads the settings as `mpind serve` does, and says what is wrong with them; a value out of bounds
            with its bounds. Warns of a setting that is looser than its default. Looks at the settings alone,
            not at folders, sockets or certificates.
            """)

    @OptionGroup var place: SettingsOptions

    func run() throws {
        let settings = try place.configuration()
        try settled { try settings.check() }
        for warning in settings.warnings { say("mpind: warning: \(warning)") }
        print("The settings are good. A running server uses them after 'sudo systemctl restart mpind'.")
    }
}
