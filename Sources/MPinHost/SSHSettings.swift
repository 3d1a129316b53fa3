// SPDX-License-Identifier: Apache-2.0
// What sshd does, as `sshd -T` prints it, and the drop-in by which a login by ssh asks for key and PIN.
import Glibc

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

    /// Where root's keys are looked for.
    package func rootKeyFiles(home: String) -> [String] {
        let said = values(of: "authorizedkeysfile").flatMap { $0.split(separator: " ") }
        let files = said.isEmpty ? [".ssh/authorized_keys", ".ssh/authorized_keys2"] : said.map(String.init)
        return files.filter { $0.lowercased() != "none" }.map { file in
            let path = file.replacing("%h", with: home).replacing("%u", with: "root")
            return path.hasPrefix("/") ? path : home + "/" + path
        }
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

/// A `Match` block that says for some people or places how they come in: what sshd prints of one account
/// tells nothing of it.
package struct SSHMatch: Equatable, Sendable {
    package let file: String
    package let line: Int
    package var place: String { "\(file):\(line)" }

    package init(_ file: String, _ line: Int) {
        self.file = file
        self.line = line
    }

    /// Those of all files that sshd reads, but not of setup's own drop-in.
    ///
    /// - Parameters:
    ///   - read: the text of a file, nil for none.
    ///   - expand: the files that a pattern stands for, in their order.
    package static func blocks(
        in file: String = "/etc/ssh/sshd_config", read: (String) -> [UInt8]?,
        expand: (String) -> [String] = paths
    ) -> [SSHMatch] {
        var found: [SSHMatch] = []
        var count = 0
        func add(_ file: String, _ outer: SSHMatch?, depth: Int) {
            // sshd takes 16 deep; files that include each other many times are counted too.
            guard depth <= 16, count < 1_000, file != SSHSettings.dropInFile, let text = read(file) else {
                return
            }
            count += 1
            var block = outer
            let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                let words = words(String(decoding: line, as: UTF8.self))
                guard let key = words.first?.lowercased() else { continue }
                if key == "match" {
                    // What is for all stands in the settings of each account.
                    let isAll = words.count == 2 && words[1].lowercased() == "all"
                    block = isAll ? outer : SSHMatch(file, index + 1)
                } else if key == "include" {
                    for pattern in words.dropFirst() {
                        let path = pattern.hasPrefix("/") ? pattern : "/etc/ssh/" + pattern
                        for included in expand(path) { add(included, block, depth: depth + 1) }
                    }
                } else if telling.contains(key), let block, !found.contains(block) {
                    found.append(block)
                }
            }
        }
        add(file, nil, depth: 0)
        return found
    }

    /// What decides whether PAM is asked, and by which stack.
    private static let telling: Set<String> = [
        "authenticationmethods", "passwordauthentication", "kbdinteractiveauthentication",
        "challengeresponseauthentication", "usepam", "pamservicename",
    ]

    /// Keyword and arguments; a sign of equality may stand between, and an argument in quotes.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for letter in line.unicodeScalars {
            let isFirst = words.isEmpty && letter == "="
            if letter == "#", !isQuoted, word == nil { break }
            if letter == "\"" {
                isQuoted.toggle()
                word = word ?? ""
            } else if !isQuoted, isFirst || [" ", "\t", "\r", "\u{c}"].contains(letter) {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(letter)
            }
        }
        return word.map { words + [$0] } ?? words
    }

    /// The files that a pattern of the shell stands for.
    package static func paths(_ pattern: String) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob(pattern, 0, nil, &found) == 0, let paths = unsafe found.gl_pathv else { return [] }
        return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe paths[index].map { unsafe String(cString: $0) }
        }
    }
}
