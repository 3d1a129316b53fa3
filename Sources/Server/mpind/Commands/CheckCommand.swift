// SPDX-License-Identifier: Apache-2.0
// `mpind check`: whether the server would start with its settings.
import ArgumentParser
import MPinServer

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the settings.",
        discussion: """
            Reads the settings as `mpind serve` does and reports what is wrong with them; for a value out of
            range, the range too. Warns of a setting that is less strict than its default. Checks the settings
            only, not folders, sockets or certificates.
            """)

    @OptionGroup var place: SettingsOptions
    @OptionGroup var output: JSONOutput

    private struct Checked: Encodable { let warnings: [String] }

    func run() throws {
        let settings = try place.configuration()
        try settings.check()
        try settings.database?.check()
        for warning in settings.warnings { writeToStandardError("mpind: warning: \(warning)") }
        try output.show(
            Checked(warnings: settings.warnings),
            lines: [
                "The settings are valid. A running server uses them after 'sudo systemctl restart mpind'."
            ])
    }
}
