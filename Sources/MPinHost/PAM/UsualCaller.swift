// SPDX-License-Identifier: Apache-2.0
// Services in which nothing shows whether a person sits at this host: M-Pin treats everybody there as remote.

/// What usually asks for a password in a service.
package enum UsualCaller: Equatable, Sendable {
    /// A setuid program that a person started.
    case setuid
    /// root's process at a terminal.
    case console
    case sshd
    /// Nobody is asked for anything there.
    case nobody
    case daemon

    package init(_ service: String) {
        switch service {
        case "sudo", "sudo-i", "su", "su-l", "doas", "chfn", "chsh", "newgrp", "passwd": self = .setuid
        case "login": self = .console
        case "sshd": self = .sshd
        case "cron", "atd", "runuser", "runuser-l", "systemd-user", "chpasswd", "newusers", "other":
            self = .nobody
        default: self = .daemon
        }
    }
}

extension Finding {
    /// - Parameter services: that ask for M-Pin, and whose section of mpin.conf says nothing of `remote`.
    package static func seat(unsaidIn services: [String]) -> Finding? {
        let daemons = services.filter { UsualCaller($0) == .daemon }
        guard !daemons.isEmpty else { return nil }
        return Finding(
            .seatUnsaid,
            "M-Pin cannot tell whether people who log in by \(daemons.joined(separator: ", ")) are at this "
                + "host. "
                + "They count as remote: a PIN is asked for after an ssh key only, and root is not let in.",
            "If only people at this host reach a service, say 'remote = no' in its section of mpin.conf; "
                + "otherwise 'remote = yes'.")
    }
}
