// SPDX-License-Identifier: Apache-2.0
// Correct settings of sshd.

enum RightSSH {
    /// The settings as setup leaves them.
    static let settings = """
        usepam yes
        logingracetime 120
        pubkeyauthentication yes
        passwordauthentication no
        kbdinteractiveauthentication yes
        gssapiauthentication no
        hostbasedauthentication no
        authenticationmethods publickey,keyboard-interactive:pam
        """
}
