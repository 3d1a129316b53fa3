// SPDX-License-Identifier: Apache-2.0
// Whether root can get in on the day when the PIN or its server fails, as a finding.

extension WaysIn {
    package var finding: Finding {
        let ways = certain
        guard ways.isEmpty else {
            return Finding(.root, "Root gets in without M-Pin: \(ways.joined(separator: ", ")).")
        }
        return Finding(
            .noWayForRoot, "When the server fails, root has no way in without M-Pin.",
            "Give root a password ('sudo passwd root') and leave 'login' without M-Pin, or a key that sshd "
                + "takes "
                + "alone.")
    }
}
