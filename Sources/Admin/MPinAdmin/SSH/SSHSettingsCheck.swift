// SPDX-License-Identifier: Apache-2.0
// Finds settings of sshd that keep M-Pin from being asked, or let users in without it.
import MPinHostStore
import MPinSystem

extension Check {
    static let sshd = Check("sshd", reads: "sshd's settings, by sshd -T", isForRoot: true) { run in
        guard run.asks("sshd"), fileFacts("/usr/sbin/sshd")?.kind == .file else { return [] }
        guard let ssh = SSHPlan.current(user: "nobody") else {
            let why = SSHPlan.trial(["-T"]).map { firstLine($0.said) } ?? "it cannot be run"
            return [
                Finding(
                    warning: "sshd-unread", "'sshd -T' does not print its settings: \(why)",
                    "Run 'sudo sshd -t', and correct it.")
            ]
        }
        guard case .success(let settings) = run.settings(of: "sshd") else { return [] }
        return ssh.findings(
            SSHWanted(
                deadline: settings.deadline,
                asksPIN: settings.method == .pin || settings.method == .pinAndPhone,
                asksPhone: settings.method != .pin, pinNeedsKey: settings.remotePIN == .key),
            apart: SSHPlan.apart, asked: { SSHPlan.current(user: $0) })
    }
}

/// What mpin.conf says about logins by ssh.
struct SSHWanted: Sendable {
    /// The value of `deadline`, in seconds.
    let deadline: Int
    let asksPIN: Bool
    let asksPhone: Bool
    /// Whether `remote-pin = key` is set.
    let pinNeedsKey: Bool
}

extension SSHSettings {
    /// The findings for an sshd whose stack asks M-Pin.
    ///
    /// - Parameters:
    ///   - blocks: the `Match` blocks, which these settings do not show.
    ///   - asked: returns the settings for an account, as sshd prints them; nil if it does not.
    func findings(
        _ wanted: SSHWanted, apart blocks: [SSHMatch] = [], asked: (String) -> SSHSettings? = { _ in nil }
    ) -> [Finding] {
        guard isOn("usepam") != false else {
            return [
                Finding(
                    problem: "sshd-no-pam", "sshd has 'UsePAM no': M-Pin is never asked.", "Set 'UsePAM yes'."
                )
            ]
        }
        guard isOn("kbdinteractiveauthentication") != false else {
            return [
                Finding(
                    problem: "sshd-no-prompt",
                    "sshd has 'KbdInteractiveAuthentication no': M-Pin cannot ask.",
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
                ok: "sshd",
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
            problem: "sshd-key-alone",
            "sshd lets people in by '\(way.joined(separator: ","))' alone: M-Pin is not asked there.",
            "Set 'AuthenticationMethods publickey,keyboard-interactive:pam'.")
    }

    /// A warning about the method `password`: it runs the same stack, where the module refuses it.
    private var passwordFinding: Finding? {
        guard isOn("passwordauthentication") == true else { return nil }
        return Finding(
            warning: "sshd-password",
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
            warning: "sshd-pin-unasked",
            "'remote-pin = key' requires a public key first, which sshd does not ask for: \(left)",
            "Set 'AuthenticationMethods publickey,keyboard-interactive:pam'.")
    }

    private func graceFinding(_ deadline: Int) -> Finding? {
        guard let grace = loginGraceTime, grace > 0, grace <= deadline else { return nil }
        return Finding(
            warning: "sshd-grace",
            "sshd has 'LoginGraceTime \(grace)': a login by ssh, with the code that a phone scans, ends "
                + "after \(grace) s, not after M-Pin's \(deadline) s.",
            "Set 'deadline' for [sshd] in mpin.conf below \(grace), or LoginGraceTime above \(deadline).")
    }

    private var rootFinding: Finding? {
        guard self["permitrootlogin"] == "yes", ways.contains(["password"]) else { return nil }
        return Finding(
            warning: "sshd-root-password", "sshd has 'PermitRootLogin yes' and takes passwords.",
            "Set 'PermitRootLogin prohibit-password'.")
    }
}
