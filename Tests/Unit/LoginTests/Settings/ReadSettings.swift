// SPDX-License-Identifier: Apache-2.0
// Reads settings for the suites of this folder, and tells why they are refused.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

/// What every mpin.conf must have.
let leastSettings = "backend = unix:/run/mpind.sock\n"

func readSettings(
    _ text: String, _ arguments: [String] = [], service: String = "su"
) throws(SettingsError) -> Settings {
    try Settings(
        text: Array(text.utf8), file: Array("mpin.conf".utf8), arguments: arguments.map { Array($0.utf8) },
        service: Array(service.utf8))
}

func settingsFault(_ text: String, _ arguments: [String] = []) -> SettingsError? {
    do throws(SettingsError) {
        _ = try readSettings(text, arguments)
        return nil
    } catch { return error }
}
