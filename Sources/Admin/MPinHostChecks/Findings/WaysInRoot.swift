// SPDX-License-Identifier: Apache-2.0
// The finding about whether root can log in when the PIN or its server fails.

extension WaysIn {
    /// How root can log in without M-Pin, or a warning that root cannot.
    package var finding: Finding {
        let ways = certain
        guard ways.isEmpty else {
            let words =
                ways == byOthers ? "Without the server there is a way to root" : "Root gets in without M-Pin"
            return Finding(.root, "\(words): \(ways.joined(separator: ", ")).")
        }
        return Finding(
            .noWayForRoot, "When the server fails, nobody can become root.",
            "Make backup codes for somebody who may use sudo, or give root a password "
                + "('sudo passwd root') and leave 'login' without M-Pin, or a key that sshd accepts alone.")
    }
}
