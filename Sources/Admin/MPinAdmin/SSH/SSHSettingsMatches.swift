// SPDX-License-Identifier: Apache-2.0
// The findings of `mpin doctor` about the `Match` blocks of sshd's settings.

extension SSHSettings {
    /// The findings about `Match` blocks, which override these settings for some logins.
    ///
    /// - Parameter asked: returns the settings for an account, as sshd prints them; nil if it does not.
    func findings(of blocks: [SSHMatch], asked: (String) -> SSHSettings?) -> [Finding] {
        blocks.flatMap { block in
            [bypassFinding(block, asked), typedFinding(block)].compactMap(\.self)
        }
    }

    private func bypassFinding(_ block: SSHMatch, _ asked: (String) -> SSHSettings?) -> Finding? {
        let there = changed(by: block)
        guard let bypass = there.bypass(besides: self) else { return nil }
        // An earlier block may decide for an account, so sshd itself is asked about named accounts.
        let names = block.isByNameAlone && block.names.count <= 20 ? block.names : []
        let real = names.compactMap(asked)
        guard real.isEmpty || real.contains(where: { $0.bypass(besides: self) != nil }) else { return nil }
        let title = "\(block.place): '\(block.title)'"
        guard block.names.isEmpty || !there.takesKeyAlone else {
            return Finding(
                note: "sshd-match-exempt",
                "\(title) lets people in by key alone, without M-Pin, as automation needs it.",
                "Restrict these keys by 'from=' in authorized_keys: see AUTOMATION in pam_mpin(8).")
        }
        return Finding(
            warning: "sshd-match", "\(title) \(bypass)",
            "Take it out of the block. For automation name the accounts: see AUTOMATION in pam_mpin(8).")
    }

    /// How these settings bypass M-Pin although `others` do not, as the end of a sentence; nil if they do
    /// not.
    private func bypass(besides others: SSHSettings) -> String? {
        if isOn("usepam") == false, others.isOn("usepam") != false {
            return "says 'UsePAM no': M-Pin is not asked there."
        }
        if let way = withoutMPin.first(where: { !others.withoutMPin.contains($0) }) {
            return "lets people in by '\(way.joined(separator: ","))' alone: M-Pin is not asked there."
        }
        if let service = self["pamservicename"], service != "sshd", service != others["pamservicename"] {
            return "names another stack of PAM by 'PAMServiceName': M-Pin may not be asked there."
        }
        let key = "kbdinteractiveauthentication"
        guard isOn(key) == false, others.isOn(key) != false else { return nil }
        return "says 'KbdInteractiveAuthentication no': M-Pin cannot ask there."
    }

    /// Whether a key alone is the only login method, and PAM still opens the session.
    private var takesKeyAlone: Bool { ways == [["publickey"]] && isOn("usepam") != false }

    private func typedFinding(_ block: SSHMatch) -> Finding? {
        let asks = changed(by: block).ways.contains { $0.contains("password") }
        let isNew = asks && !ways.contains { $0.contains("password") }
        guard isNew || block.said["passwordauthentication"] == "yes" else { return nil }
        return Finding(
            warning: "sshd-match-password",
            "\(block.place): '\(block.title)' allows logins by password at sshd's own prompt, where M-Pin is "
                + "not asked for a PIN.",
            "Set 'PasswordAuthentication no' there, and name no 'password' in AuthenticationMethods.")
    }
}
