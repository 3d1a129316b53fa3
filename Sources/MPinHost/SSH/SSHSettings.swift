// SPDX-License-Identifier: Apache-2.0
// What sshd does, as `sshd -T` prints it, and the drop-in by which a login by ssh asks for key and PIN.

/// Effective settings: of everybody, or with `sshd -T -C user=NAME,...` of one account.
package struct SSHSettings: Equatable, Sendable {
    private let values: [String: [String]]

    private init(values: [String: [String]]) { self.values = values }

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

    /// Whether root, who is in these groups, may come in by a key.
    package func rootMayUseKey(groups: [String] = ["root"]) -> Bool {
        guard let permitted = self["permitrootlogin"], isOn("pubkeyauthentication") ?? true else {
            return false
        }
        return ["yes", "prohibit-password", "without-password"].contains(permitted)
            && (methods.isEmpty || methods.contains(["publickey"])) && admits("root", groups: groups)
    }

    /// Whether a password is enough, of whomever these settings are.
    package var takesPasswordAlone: Bool {
        isOn("passwordauthentication") == true && (methods.isEmpty || methods.contains(["password"]))
    }

    /// Whether AllowUsers and its like let an account in: a name with a host behind it counts for all hosts.
    package func admits(_ name: String, groups: [String]) -> Bool {
        func names(_ key: String, _ wanted: [String]) -> Bool? {
            let patterns = values(of: key).flatMap { $0.split(separator: " ") }
            guard !patterns.isEmpty else { return nil }
            let isUsers = key.hasSuffix("users")
            return patterns.map { isUsers ? $0.prefix { $0 != "@" } : $0 }.contains { pattern in
                wanted.contains { fits(Array($0.utf8)[...], Array(pattern.utf8)[...]) }
            }
        }
        return names("denyusers", [name]) != true && names("allowusers", [name]) != false
            && names("denygroups", groups) != true && names("allowgroups", groups) != false
    }

    /// Where an account's keys are looked for.
    package func keyFiles(of name: String, uid: UInt32, home: String) -> [String] {
        let said = values(of: "authorizedkeysfile").flatMap { $0.split(separator: " ") }
        let files = said.isEmpty ? [".ssh/authorized_keys", ".ssh/authorized_keys2"] : said.map(String.init)
        let tokens: [Character: String] = ["h": home, "u": name, "U": String(uid), "%": "%"]
        return files.filter { $0.lowercased() != "none" }.map { file in
            let path = filled(file, tokens)
            return path.hasPrefix("/") ? path : home + "/" + path
        }
    }

    /// Whether sshd may learn of keys that stand in no file of an account's.
    package var hasUnseenKeys: Bool {
        ["authorizedkeyscommand", "trustedusercakeys"].contains { key in
            self[key].map { !$0.isEmpty && $0 != "none" } ?? false
        }
    }

    /// These settings where a `Match` block speaks over them.
    func changed(by block: SSHMatch) -> SSHSettings {
        SSHSettings(values: values.merging(block.said.mapValues { [$0] }) { $1 })
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

/// Whether a name is as a pattern with `*` and `?` says.
private func fits(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == UInt8(ascii: "*") {
        return fits(name, pattern.dropFirst()) || !name.isEmpty && fits(name.dropFirst(), pattern)
    }
    guard let octet = name.first, first == UInt8(ascii: "?") || first == octet else { return false }
    return fits(name.dropFirst(), pattern.dropFirst())
}

/// A path with its tokens, such as `%h`, replaced by what they mean.
private func filled(_ file: String, _ tokens: [Character: String]) -> String {
    var path = ""
    var rest = file[...]
    while let letter = rest.popFirst() {
        guard letter == "%", let token = rest.popFirst() else {
            path.append(letter)
            continue
        }
        path += tokens[token] ?? "%\(token)"
    }
    return path
}
