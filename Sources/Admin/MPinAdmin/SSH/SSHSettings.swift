// SPDX-License-Identifier: Apache-2.0
// The effective settings of sshd, as `sshd -T` prints them, and the drop-in that makes ssh ask for key and
// PIN.

/// The effective settings of sshd: the global ones, or with `sshd -T -C user=NAME,...` those for one account.
struct SSHSettings: Equatable, Sendable {
    private let values: [String: [String]]

    private init(values: [String: [String]]) { self.values = values }

    /// - Parameter printed: one `key value` on each line; keys in any case; a key may repeat.
    init(printed: String) {
        var values: [String: [String]] = [:]
        for line in printed.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            guard let key = words.first else { continue }
            values[key.lowercased(), default: []].append(words.count > 1 ? String(words[1]) : "")
        }
        self.values = values
    }

    /// All values of a key, in their order; empty for a key that this sshd does not have.
    func values(of key: String) -> [String] { values[key.lowercased()] ?? [] }

    /// The first value of a key.
    subscript(key: String) -> String? { values(of: key).first }

    /// Whether a key is `yes`; nil if it is neither `yes` nor `no`.
    func isOn(_ key: String) -> Bool? {
        switch self[key] {
        case "yes": true
        case "no": false
        default: nil
        }
    }

    /// The lists of AuthenticationMethods, one of which a user must complete; empty if any single method is
    /// enough.
    var methods: [[String]] {
        let lists = values(of: "authenticationmethods").flatMap { $0.split(separator: " ") }
        return lists.filter { $0 != "any" }.map { $0.split(separator: ",").map(String.init) }
    }

    /// What sshd asks before M-Pin, according to AuthenticationMethods.
    enum Demand: Equatable, Sendable {
        /// A key first, whichever list a user completes.
        case key
        /// A key, and M-Pin is not asked at all.
        case keyAlone
        case nothing
    }

    /// What sshd asks of a user before it asks M-Pin.
    var demand: Demand {
        let lists = methods
        guard !lists.isEmpty, lists.allSatisfy({ $0.contains("publickey") }) else { return .nothing }
        let asking = lists.filter { list in list.contains { $0.hasPrefix("keyboard-interactive") } }
        guard !lists.contains(["publickey"]) else { return .keyAlone }
        guard !asking.isEmpty else { return .nothing }
        let isFirst = asking.allSatisfy { list in
            list.prefix { !$0.hasPrefix("keyboard-interactive") }.contains("publickey")
        }
        return isFirst ? .key : .nothing
    }

    /// The seconds that a login may take; 0: no limit.
    var loginGraceTime: Int? { self["logingracetime"].flatMap { Int($0) } }

    /// Whether root, who is in these groups, may log in by a key.
    func rootMayUseKey(groups: [String] = ["root"]) -> Bool {
        guard let permitted = self["permitrootlogin"], isOn("pubkeyauthentication") ?? true else {
            return false
        }
        return ["yes", "prohibit-password", "without-password"].contains(permitted)
            && (methods.isEmpty || methods.contains(["publickey"])) && admits("root", groups: groups)
    }

    /// Whether a password alone is enough under these settings.
    var takesPasswordAlone: Bool {
        isOn("passwordauthentication") == true && (methods.isEmpty || methods.contains(["password"]))
    }

    /// Whether AllowUsers, DenyUsers, AllowGroups and DenyGroups admit an account. The host in `USER@HOST` is
    /// ignored.
    func admits(_ name: String, groups: [String]) -> Bool {
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

    /// The paths at which sshd looks for an account's keys.
    func keyFiles(of name: String, uid: UInt32, home: String) -> [String] {
        let said = values(of: "authorizedkeysfile").flatMap { $0.split(separator: " ") }
        let files = said.isEmpty ? [".ssh/authorized_keys", ".ssh/authorized_keys2"] : said.map(String.init)
        let tokens: [Character: String] = ["h": home, "u": name, "U": String(uid), "%": "%"]
        return files.filter { $0.lowercased() != "none" }.map { file in
            let path = filled(file, tokens)
            return path.hasPrefix("/") ? path : home + "/" + path
        }
    }

    /// Whether sshd may know keys that are not in the account's files.
    var hasUnseenKeys: Bool {
        ["authorizedkeyscommand", "trustedusercakeys"].contains { key in
            self[key].map { !$0.isEmpty && $0 != "none" } ?? false
        }
    }

    /// These settings as a `Match` block overrides them.
    func changed(by block: SSHMatch) -> SSHSettings {
        SSHSettings(values: values.merging(block.said.mapValues { [$0] }) { $1 })
    }

    /// The keywords that do not have the drop-in's values, because another file sets them first.
    var missing: [String] {
        var missing: [String] = []
        if methods != [["publickey", "keyboard-interactive:pam"]] { missing.append("AuthenticationMethods") }
        if isOn("kbdinteractiveauthentication") != true { missing.append("KbdInteractiveAuthentication") }
        if isOn("passwordauthentication") != false { missing.append("PasswordAuthentication") }
        if isOn("usepam") != true { missing.append("UsePAM") }
        return missing
    }

    /// The path of the drop-in. sshd takes the first value of a setting, and images of clouds bring a
    /// `50-cloud-init.conf`.
    static let dropInFile = "/etc/ssh/sshd_config.d/00-mpin.conf"

    /// The text of the drop-in.
    static let dropIn = """
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

/// Whether a name matches a pattern with `*` and `?`.
private func fits(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == UInt8(ascii: "*") {
        return fits(name, pattern.dropFirst()) || !name.isEmpty && fits(name.dropFirst(), pattern)
    }
    guard let octet = name.first, first == UInt8(ascii: "?") || first == octet else { return false }
    return fits(name.dropFirst(), pattern.dropFirst())
}

/// A path with its tokens, such as `%h`, replaced by their values.
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
