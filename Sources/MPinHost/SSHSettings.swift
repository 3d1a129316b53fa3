// SPDX-License-Identifier: Apache-2.0
// What sshd does, as `sshd -T` prints it, and the drop-in by which a login by ssh asks for key and PIN.

/// Effective settings: of everybody, or with `sshd -T -C user=NAME,...` of one account.
package struct SSHSettings: Equatable, Sendable {
    private let values: [String: [String]]

    /// - Parameter printed: one `key value` a line, keys in any case; a key may repeat.
    package init(printed: String) {
        var values: [String: [String]] = [:]
        for line in printed.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            guard let key = words.first else { continue }
            values[key.lowercased(), default: []].append(words.count > 1 ? String(words[1]) : "")
        }
        self.values = values
    }

    /// All that a key says, in its order; none for a key that this sshd does not have.
    package func values(of key: String) -> [String] { values[key.lowercased()] ?? [] }

    /// What a key says first.
    package subscript(key: String) -> String? { values(of: key).first }

    /// nil for what is neither yes nor no.
    package func isOn(_ key: String) -> Bool? {
        switch self[key] {
        case "yes": true
        case "no": false
        default: nil
        }
    }

    /// Lists of methods, one of which must be gone through; empty where any method is enough.
    package var methods: [[String]] {
        let lists = values(of: "authenticationmethods").flatMap { $0.split(separator: " ") }
        return lists.filter { $0 != "any" }.map { $0.split(separator: ",").map(String.init) }
    }

    /// Seconds that a login may take; 0 for no end.
    package var loginGraceTime: Int? { self["logingracetime"].flatMap { Int($0) } }

    /// Whether root may come in by a key.
    package var rootMayUseKey: Bool {
        guard let permitted = self["permitrootlogin"], isOn("pubkeyauthentication") ?? true else {
            return false
        }
        return ["yes", "prohibit-password", "without-password"].contains(permitted)
            && (methods.isEmpty || methods.contains(["publickey"]))
    }

    /// What does not stand as the drop-in says; another file says it first.
    package var missing: [String] {
        var missing: [String] = []
        if methods != [["publickey", "keyboard-interactive:pam"]] { missing.append("AuthenticationMethods") }
        if isOn("kbdinteractiveauthentication") != true { missing.append("KbdInteractiveAuthentication") }
        if isOn("passwordauthentication") != false { missing.append("PasswordAuthentication") }
        if isOn("usepam") != true { missing.append("UsePAM") }
        return missing
    }

    package static let dropInFile = "/etc/ssh/sshd_config.d/mpin.conf"

    /// The file of that name.
    package static let dropIn = """
        # mpin setup: begin
        # Logins by ssh: a key first, then M-Pin by PAM. Taken away by `mpin setup --undo`.

        # A PIN of this host is no way in by itself for somebody who comes over the network, for the host
        # brings the token. So a key comes first, and the module sees which one.
        AuthenticationMethods publickey,keyboard-interactive:pam
        KbdInteractiveAuthentication yes

        # sshd's own password method answers every question of PAM with one password, the PIN's too.
        PasswordAuthentication no
        UsePAM yes

        # Root's key stays a way in, if it was one, for the day when the PIN or its server fails.
        Match User root
            AuthenticationMethods publickey
        # mpin setup: end

        """
}
