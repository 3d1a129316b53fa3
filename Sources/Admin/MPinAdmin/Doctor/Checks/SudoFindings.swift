// SPDX-License-Identifier: Apache-2.0
// The check of sudo's rules.
import MPinHostChecks

extension Check {
    static let sudo = Check("sudo", reads: "sudo's rules, by cvtsudoers", isForRoot: true) { run in
        guard run.asks("sudo") || run.asks("sudo-i"), fileFacts("/etc/sudoers")?.kind == .file else {
            return []
        }
        // Warnings come before the JSON in the same output.
        guard let end = ran("/usr/bin/cvtsudoers", ["-f", "json", "/etc/sudoers"]), end.status == 0,
            let sudoers = Sudoers(json: [UInt8](end.said.utf8.drop { $0 != 0x7b }))
        else {
            return [
                Finding(
                    .sudoUnread, "sudo's rules cannot be read by 'cvtsudoers'.",
                    "Run 'sudo visudo -c', and correct them.")
            ]
        }
        return sudoers.findings
    }
}
