// SPDX-License-Identifier: Apache-2.0
// Settings of sshd with which nothing is wrong.

enum RightSSH {
    /// As setup leaves them.
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
