// SPDX-License-Identifier: Apache-2.0
// Finds settings of sshd that keep M-Pin from being asked, or let users in without it.

/// What mpin.conf says about logins by ssh.
package struct SSHWanted: Sendable {
    /// The value of `deadline`, in seconds.
    package let deadline: Int
    package let asksPIN: Bool
    package let asksPhone: Bool
    /// Whether `remote-pin = key` is set.
    package let pinNeedsKey: Bool

    package init(deadline: Int, asksPIN: Bool, asksPhone: Bool, pinNeedsKey: Bool) {
        self.deadline = deadline
        self.asksPIN = asksPIN
        self.asksPhone = asksPhone
        self.pinNeedsKey = pinNeedsKey
    }
}

extension SSHSettings {
    /// The findings for an sshd whose stack asks M-Pin.
    ///
    /// - Parameters:
    ///   - blocks: the `Match` blocks, which these settings do not show.
    ///   - asked: returns the settings for an account, as sshd prints them; nil if it does not.
    package func findings(
        _ wanted: SSHWanted, apart blocks: [SSHMatch] = [], asked: (String) -> SSHSettings? = { _ in nil }
    ) -> [Finding] {
        guard isOn("usepam") != false else {
            return [
                Finding(.sshdNoPAM, "sshd has 'UsePAM no': M-Pin is never asked.", "Set 'UsePAM yes'.")
            ]
        }
        guard isOn("kbdinteractiveauthentication") != false else {
            return [
                Finding(
                    .sshdNoPrompt, "sshd has 'KbdInteractiveAuthentication no': M-Pin cannot ask.",
                    "Set 'KbdInteractiveAuthentication yes'.")
            ]
        }
        let found = [
            keyFinding, passwordFinding, pinFinding(wanted), graceFinding(wanted.deadline), rootFinding,
        ].compactMap(\.self)
        let apart = findings(of: blocks, asked: asked)
        guard found.isEmpty else { return found + apart }
        let places = blocks.map(\.place).joined(separator: ", ")
        return [
            Finding(
                .sshd,
                blocks.isEmpty
                    ? "sshd asks M-Pin, and lets nobody in without it."
                    : "sshd asks M-Pin. 'Match' blocks have other rules for some people: \(places).")
        ] + apart
    }

    /// The lists of methods by which a user can log in; if any single method is enough, those that are on.
    /// sshd ignores a list with a method that is off.
    var ways: [[String]] {
        let switches = [
            ("publickey", "pubkeyauthentication"), ("password", "passwordauthentication"),
            ("keyboard-interactive", "kbdinteractiveauthentication"),
            ("gssapi-with-mic", "gssapiauthentication"), ("hostbased", "hostbasedauthentication"),
        ]
        guard methods.isEmpty else {
            let off = switches.filter { isOn($0.1) == false }.map(\.0)
            return methods.map { $0.map(Self.plain) }.filter { Set(off).isDisjoint(with: $0) }
        }
        return switches.filter { isOn($0.1) == true }.map { [$0.0] }
    }

    /// The lists that let a user in without M-Pin, without that of the password alone.
    var withoutMPin: [[String]] { ways.filter { !$0.contains("keyboard-interactive") && $0 != ["password"] } }

    /// A method without its device: `keyboard-interactive:pam` becomes `keyboard-interactive`.
    private static func plain(_ method: String) -> String {
        method.split(separator: ":").first.map(String.init) ?? method
    }

    private var keyFinding: Finding? {
        guard let way = withoutMPin.first else { return nil }
        return Finding(
            .sshdKeyAlone,
            "sshd lets people in by '\(way.joined(separator: ","))' alone: M-Pin is not asked there.",
            "Set 'AuthenticationMethods publickey,keyboard-interactive:pam'.")
    }

    /// A warning about the method `password`: it runs the same stack, where the module refuses it.
    private var passwordFinding: Finding? {
        guard isOn("passwordauthentication") == true else { return nil }
        return Finding(
            .sshdPassword,
            "sshd has 'PasswordAuthentication yes': its password prompt comes first for many people, and "
                + "M-Pin refuses what is typed there.",
            "Set 'PasswordAuthentication no'.")
    }

    private func pinFinding(_ wanted: SSHWanted) -> Finding? {
        guard wanted.asksPIN, wanted.pinNeedsKey else { return nil }
        let withKey = ways.contains { way in
            way.firstIndex(of: "publickey").map { way[$0...].contains("keyboard-interactive") } ?? false
        }
        guard !withKey else { return nil }
        let left = wanted.asksPhone ? "users can log in only by a second device." : "nobody can log in."
        return Finding(
            .sshdPINUnasked,
            "'remote-pin = key' requires a public key first, which sshd does not ask for: \(left)",
            "Set 'AuthenticationMethods publickey,keyboard-interactive:pam'.")
    }

    private func graceFinding(_ deadline: Int) -> Finding? {
        guard let grace = loginGraceTime, grace > 0, grace <= deadline else { return nil }
        return Finding(
            .sshdGrace,
            "sshd has 'LoginGraceTime \(grace)': a login by ssh, with the code that a phone scans, ends "
                + "after \(grace) s, not after M-Pin's \(deadline) s.",
            "Set 'deadline' for [sshd] in mpin.conf below \(grace), or LoginGraceTime above \(deadline).")
    }

    private var rootFinding: Finding? {
        guard self["permitrootlogin"] == "yes", ways.contains(["password"]) else { return nil }
        return Finding(
            .sshdRootPassword, "sshd has 'PermitRootLogin yes' and takes passwords.",
            "Set 'PermitRootLogin prohibit-password'.")
    }
}
