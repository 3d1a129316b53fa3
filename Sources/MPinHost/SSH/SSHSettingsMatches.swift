// SPDX-License-Identifier: Apache-2.0
// The findings of `mpin doctor` about the `Match` blocks of sshd's settings.

extension SSHMatch {
    /// How a block overrides the settings of all others, `general`, for some logins.
    ///
    /// - Parameter changes: what it changes for each login that stands for it.
    package func findings(_ changes: [Change], besides general: SSHSettings) -> [Finding] {
        let bypass = changes.lazy.compactMap { bypassFinding($0, general) }.first
        let typed = changes.contains { $0.takesTypedPasswords(besides: general) } ? typedFinding : nil
        return [bypass, typed].compactMap(\.self)
    }

    /// The blocks that may decide how somebody logs in: those that are seen to, and those of which nothing is
    /// known.
    package static func decisive(_ blocks: [(block: SSHMatch, changes: [Change])]) -> [SSHMatch] {
        blocks.filter { $0.changes.isEmpty || $0.changes.contains(where: \.isDecisive) }.map(\.block)
    }

    private func bypassFinding(_ change: Change, _ general: SSHSettings) -> Finding? {
        guard let bypass = change.bypass(besides: general) else { return nil }
        guard names.isEmpty || !change.settings.takesKeyAlone else {
            return Finding(
                .sshdMatchExempt,
                "\(place): '\(title)' lets people in by key alone, without M-Pin, as automation needs it.",
                "Restrict these keys by 'from=' in authorized_keys: see AUTOMATION in pam_mpin(8).")
        }
        return Finding(
            .sshdMatch, "\(place): '\(title)' \(bypass)",
            "Take it out of the block. For automation name the accounts: see AUTOMATION in pam_mpin(8).")
    }

    private var typedFinding: Finding {
        Finding(
            .sshdMatchPassword,
            "\(place): '\(title)' allows logins by password at sshd's own prompt, where M-Pin is not asked "
                + "for a PIN.",
            "Set 'PasswordAuthentication no' there, and name no 'password' in AuthenticationMethods.")
    }
}

extension SSHMatch.Change {
    /// Whether the block decides whether PAM is asked, and with which stack.
    package var isDecisive: Bool {
        decides(
            "authenticationmethods", "passwordauthentication", "kbdinteractiveauthentication", "usepam",
            "pamservicename", "gssapiauthentication", "hostbasedauthentication")
    }

    private func decides(_ names: String...) -> Bool { names.contains(where: keys.contains) }

    /// How the block bypasses M-Pin although the settings of others do not, as the end of a sentence; nil if
    /// it does not.
    fileprivate func bypass(besides others: SSHSettings) -> String? {
        if decides("usepam"), settings.isOn("usepam") == false, others.isOn("usepam") != false {
            return "says 'UsePAM no': M-Pin is not asked there."
        }
        let methods = [
            "authenticationmethods", "pubkeyauthentication", "gssapiauthentication",
            "hostbasedauthentication",
        ]
        if !keys.isDisjoint(with: methods),
            let way = settings.withoutMPin.first(where: { !others.withoutMPin.contains($0) })
        {
            return "lets people in by '\(way.joined(separator: ","))' alone: M-Pin is not asked there."
        }
        if decides("pamservicename"), let service = settings["pamservicename"], service != "sshd",
            service != others["pamservicename"]
        {
            return "names another stack of PAM by 'PAMServiceName': M-Pin may not be asked there."
        }
        let key = "kbdinteractiveauthentication"
        guard decides(key), settings.isOn(key) == false, others.isOn(key) != false else { return nil }
        return "says 'KbdInteractiveAuthentication no': M-Pin cannot ask there."
    }

    /// Whether passwords are typed at sshd's own prompt because of the block.
    fileprivate func takesTypedPasswords(besides others: SSHSettings) -> Bool {
        if decides("passwordauthentication"), settings.isOn("passwordauthentication") == true { return true }
        return decides("authenticationmethods") && settings.hasPasswordWay && !others.hasPasswordWay
    }
}

extension SSHSettings {
    /// Whether a key alone is the only login method, and PAM still opens the session.
    fileprivate var takesKeyAlone: Bool { ways == [["publickey"]] && isOn("usepam") != false }

    fileprivate var hasPasswordWay: Bool { ways.contains { $0.contains("password") } }
}
