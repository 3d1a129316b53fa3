// SPDX-License-Identifier: Apache-2.0
// Whether root can get in on the day when the PIN or its server fails.

package struct RootFacts: Sendable {
    /// The second field of root's line in /etc/shadow; nil if it could not be read.
    package let password: String?
    /// Whether `login` lets in by the password alone.
    package let consoleTakesPassword: Bool
    /// Whether root has keys, and sshd takes them alone.
    package let keyOpens: Bool

    package init(password: String?, consoleTakesPassword: Bool, keyOpens: Bool) {
        self.password = password
        self.consoleTakesPassword = consoleTakesPassword
        self.keyOpens = keyOpens
    }

    package var finding: Finding {
        // `!` and `*` are in no hash; an empty field is no password.
        let hasPassword = password.map { !$0.isEmpty && !$0.hasPrefix("!") && !$0.hasPrefix("*") } ?? false
        if hasPassword, consoleTakesPassword {
            return Finding(.root, "Root gets in at the console by a password without M-Pin.")
        }
        if keyOpens { return Finding(.root, "Root gets in over ssh by a key without M-Pin.") }
        return Finding(
            .noWayForRoot, "When the server fails, root has no way in without M-Pin.",
            "Give root a password ('passwd root') and leave 'login' without M-Pin, or a key that sshd takes "
                + "alone.")
    }
}
