// SPDX-License-Identifier: Apache-2.0
// The kind of program that usually calls PAM in a service, and the findings about services that do not show
// whether the user is at this host (M-Pin treats all users there as remote), or whose program is not root's.

/// The program that usually calls PAM in a service.
enum UsualCaller: Equatable, Sendable {
    /// A setuid program that a user started.
    case setuid
    /// A process of root at a terminal.
    case console
    /// A program that runs as the user, without root's rights, such as one that locks a screen.
    case user
    case sshd
    /// A service that asks no user for anything.
    case nobody
    case daemon

    init(_ service: String) {
        switch service {
        case "sudo", "sudo-i", "su", "su-l", "doas", "chfn", "chsh", "newgrp", "passwd": self = .setuid
        case "login": self = .console
        case "swaylock", "i3lock", "hyprlock", "gtklock", "waylock", "xsecurelock", "xscreensaver", "kde",
            "cinnamon-screensaver", "mate-screensaver", "xfce4-screensaver":
            self = .user
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
    static func seat(unsaidIn services: [String], hasConsole: Bool = true) -> Finding? {
        let daemons = services.filter {
            let caller = UsualCaller($0)
            return caller == .daemon || caller == .console && !hasConsole
        }
        guard !daemons.isEmpty else { return nil }
        return Finding(
            warning: "seat-unsaid",
            "M-Pin cannot tell whether users who log in by \(daemons.joined(separator: ", ")) are at this "
                + "host. They count as remote: a PIN is asked for only after an ssh key, and root is "
                + "refused.",
            "If only users at this host reach a service, set 'remote = no' in its section of mpin.conf; "
                + "otherwise 'remote = yes'.")
    }

    /// The findings about programs that run as the user, so that M-Pin steps aside there.
    /// - Parameter checks: those of the services that ask M-Pin.
    static func asUser(in checks: [StackCheck]) -> [Finding] {
        let found = checks.filter { UsualCaller($0.service) == .user }
        let programs = found.map(\.service)
        guard !programs.isEmpty else { return [] }
        let open = found.filter(\.letsInTheIgnored).map { check in
            Finding(
                warning: "unlocked-unasked",
                "\(check.service): M-Pin steps aside there, and the rest of the stack asks for nothing: "
                    + "anybody can unlock the screen.",
                "Write a rule of pam_unix.so behind that of pam_mpin.so, or 'remote = yes' in the section of "
                    + "the service in mpin.conf.")
        }
        let note = Finding(
            note: "runs-as-user",
            "\(programs.joined(separator: ", ")): M-Pin steps aside there, because the program runs as the "
                + "user and not as root. The rest of the stack decides, such as the Unix password.",
            "To refuse such logins, write 'remote = yes' in the section of the service in mpin.conf.")
        return open + [note]
    }
}
