// SPDX-License-Identifier: Apache-2.0
// The kind of program that usually calls PAM in a service, and the finding about services that do not show
// whether the user is at this host: M-Pin treats all users there as remote.

/// The program that usually calls PAM in a service.
package enum UsualCaller: Equatable, Sendable {
    /// A setuid program that a user started.
    case setuid
    /// A process of root at a terminal.
    case console
    case sshd
    /// A service that asks no user for anything.
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
    /// The warning about services that do not show whether the user is at this host; nil if there are none.
    /// - Parameters:
    ///   - services: the services that ask M-Pin and have no `remote` in mpin.conf.
    ///   - hasConsole: whether this machine has a terminal that is not a pseudoterminal.
    package static func seat(unsaidIn services: [String], hasConsole: Bool = true) -> Finding? {
        let daemons = services.filter {
            let caller = UsualCaller($0)
            return caller == .daemon || caller == .console && !hasConsole
        }
        guard !daemons.isEmpty else { return nil }
        return Finding(
            .seatUnsaid,
            "M-Pin cannot tell whether users who log in by \(daemons.joined(separator: ", ")) are at this "
                + "host. They count as remote: a PIN is asked for only after an ssh key, and root is "
                + "refused.",
            "If only users at this host reach a service, set 'remote = no' in its section of mpin.conf; "
                + "otherwise 'remote = yes'.")
    }
}
