// SPDX-License-Identifier: Apache-2.0
// The finding about whether root can log in when the PIN or its server fails.

extension WaysIn {
    /// How root can log in without M-Pin, or a warning that root cannot.
    package var finding: Finding {
        let ways = certain
        guard ways.isEmpty else {
            return Finding(.root, "Root gets in without M-Pin: \(ways.joined(separator: ", ")).")
        }
        return Finding(
            .noWayForRoot, "When the server fails, root has no way in without M-Pin.",
            "Give root a password ('sudo passwd root') and leave 'login' without M-Pin, or a key that sshd "
                + "accepts alone.")
    }
}
