// SPDX-License-Identifier: Apache-2.0
// Folders of /etc/pam.d for the tests: the rules of Debian 12, and others.
@testable import MPinAdmin

struct Folder {
    var files: [String: String]

    func read(_ name: String) throws(PAMError) -> [UInt8] {
        guard let text = files[name] else { throw PAMError.missing(name) }
        return Array(text.utf8)
    }

    func file(_ name: String) throws -> PAMFile { try PAMFile(name, text: read(name)) }

    func stack(_ name: String) throws -> PAMStack { try PAMStack(service: name, read: read) }

    func with(_ factor: Factor, in name: String) throws -> String {
        String(decoding: try file(name).with(factor, read: read), as: UTF8.self)
    }

    /// Why the rule cannot be written there.
    func refusal(_ name: String) -> PAMError? {
        do {
            _ = try PAMFile(name, text: read(name)).with(.only, read: read)
            return nil
        } catch { return error }
    }

    static let debian12 = Folder(files: [
        "common-auth": """
        #
        # /etc/pam.d/common-auth - authentication settings common to all services
        #
        # here are the per-package modules (the "Primary" block)
        auth\t[success=1 default=ignore]\tpam_unix.so nullok
        # here's the fallback if no module succeeds
        auth\trequisite\t\t\tpam_deny.so
        auth\trequired\t\t\tpam_permit.so
        auth\toptional\t\t\tpam_cap.so\u{20}
        # end of pam-auth-update config

        """,
        "common-account": """
        account\t[success=1 new_authtok_reqd=done default=ignore]\tpam_unix.so\u{20}
        account\trequisite\t\t\tpam_deny.so
        account\trequired\t\t\tpam_permit.so

        """,
        "common-session": """
        session\t[default=1]\t\t\tpam_permit.so
        session\trequisite\t\t\tpam_deny.so
        session\trequired\t\t\tpam_permit.so
        session\trequired\tpam_unix.so\u{20}

        """,
        "common-password": """
        password\t[success=1 default=ignore]\tpam_unix.so obscure yescrypt
        password\trequisite\t\t\tpam_deny.so
        password\trequired\t\t\tpam_permit.so

        """,
        "sudo": """
        #%PAM-1.0

        # Set up user limits from /etc/security/limits.conf.
        session    required   pam_limits.so

        @include common-auth
        @include common-account
        @include common-session-noninteractive

        """,
        "sshd": """
        # PAM configuration for the Secure Shell service

        # Standard Un*x authentication.
        @include common-auth

        # Disallow non-root logins when /etc/nologin exists.
        account    required     pam_nologin.so
        @include common-account
        session [success=ok ignore=ignore module_unknown=ignore default=bad]        pam_selinux.so close
        session    optional     pam_mail.so standard noenv # [1]
        @include common-session
        @include common-password

        """,
        "login": """
        #
        # The PAM configuration file for the Shadow `login' service
        #
        auth       optional   pam_faildelay.so  delay=3000000
        # auth       required   pam_issue.so issue=/etc/issue
        auth       requisite  pam_nologin.so
        session [success=ok ignore=ignore module_unknown=ignore default=bad] pam_selinux.so close
        session    required     pam_loginuid.so
        session       required   pam_env.so readenv=1

        # Standard Un*x authentication.
        @include common-auth

        auth       optional   pam_group.so
        @include common-account
        @include common-session
        @include common-password

        """,
        "su": """
        # This allows root to su without passwords (normal operation)
        auth       sufficient pam_rootok.so
        session       required   pam_env.so readenv=1
        @include common-auth
        @include common-account
        @include common-session

        """,
        "su-l": """
        #%PAM-1.0
        auth\t\tinclude\t\tsu
        account\t\tinclude\t\tsu

        """,
        "common-session-noninteractive": "session\trequired\tpam_unix.so\n",
    ])
}
