// SPDX-License-Identifier: Apache-2.0
// How root can still log in when M-Pin fails, and the keys and groups that this depends on.

/// Facts about a host that decide how root can log in without M-Pin.
struct WaysIn: Equatable, Sendable {
    /// Whether root has a password that can be typed.
    var rootHasPassword = false
    /// Services in which root can log in by password and M-Pin is not asked. `su` counts only for users who
    /// have logged in before.
    var passwordServices: [String] = []
    /// Whether users can log in by ssh with a password and without M-Pin; from there `su` leads on.
    var sshTakesPassword = false
    /// Whether sshd accepts a key for root, and root has one.
    var rootHasKey = false
    /// Whether users who are not enrolled, root included, are asked for the password.
    var passesUnenrolled = false
    /// How others become root, as parts of a sentence.
    var byOthers: [String] = []

    /// The ways that do not depend on the server, as parts of a sentence. If it is empty, the host can lock
    /// its administrator out.
    var certain: [String] {
        var ways: [String] = []
        if rootHasPassword, let service = passwordServices.first(where: { $0 != "su" }) {
            ways.append("root's password by \(service)")
        } else if rootHasPassword, sshTakesPassword, passwordServices.contains("su") {
            ways.append("root's password by su, after a login by ssh")
        }
        if rootHasPassword, passesUnenrolled { ways.append("root's password, because root is not enrolled") }
        if rootHasKey { ways.append("root's ssh key") }
        return ways + byOthers
    }
}

/// Whether a text of authorized_keys has a key for unrestricted logins: not one with a forced command, a CA's
/// key, or one that expires.
func hasLoginKey(_ text: [UInt8]) -> Bool {
    text.split(separator: 0x0a).contains { line in
        let line = line.drop(while: isBlank)
        guard line.first != UInt8(ascii: "#") else { return false }
        if isKey(line) { return true }
        let (options, rest) = keyOptions(line)
        return isKey(rest) && options.isDisjoint(with: ["command", "cert-authority", "expiry-time"])
    }
}

/// Whether a text of authorized_keys has any key, with or without restrictions.
func hasKey(_ text: [UInt8]) -> Bool {
    text.split(separator: 0x0a).contains { line in
        let line = line.drop(while: isBlank)
        guard line.first != UInt8(ascii: "#") else { return false }
        return isKey(line) || isKey(keyOptions(line).rest)
    }
}

/// The names of the options before a key, and the rest of the line. A value may be in quotes; in it a
/// backslash escapes a quote.
private func keyOptions(_ line: ArraySlice<UInt8>) -> (names: Set<String>, rest: ArraySlice<UInt8>) {
    let quote = UInt8(ascii: "\"")
    var names: Set<String> = []
    var word: [UInt8] = []
    var rest = line
    var isQuoted = false
    while let octet = rest.first, isQuoted || !isBlank(octet) {
        rest = rest.dropFirst()
        if octet == UInt8(ascii: "\\"), rest.first == quote {
            rest = rest.dropFirst()
        } else if octet == UInt8(ascii: ","), !isQuoted {
            names.insert(optionName(word))
            word = []
        } else {
            if octet == quote { isQuoted.toggle() }
            word.append(octet)
        }
    }
    names.insert(optionName(word))
    return (names, rest.drop(while: isBlank))
}

private func optionName(_ word: [UInt8]) -> String {
    String(decoding: word.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self).lowercased()
}

/// Whether a text is a type and a key. The shortest key, that of Ed25519, has 68 characters; each begins with
/// the length of its type, so with `AAAA`.
private func isKey(_ text: ArraySlice<UInt8>) -> Bool {
    let words = text.split(maxSplits: 2, whereSeparator: isBlank)
    guard words.count > 1, words[1].count >= 68, words[1].starts(with: "AAAA".utf8) else { return false }
    return keyTypes.contains(String(decoding: words[0], as: UTF8.self))
}

private let keyTypes: Set<String> = [
    "ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
]

private func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 || octet == 0x0d }

/// The groups of an account, according to the text of /etc/group.
func groups(of name: String, gid: UInt32, group: [UInt8]) -> [String] {
    group.split(separator: 0x0a).compactMap { line in
        let fields = line.split(separator: 0x3a, omittingEmptySubsequences: false)
        guard fields.count > 3 else { return nil }
        let isOwn = UInt32(String(decoding: fields[2], as: UTF8.self)) == gid
        let members = fields[3].split(separator: 0x2c)
        guard isOwn || members.contains(where: { $0.elementsEqual(name.utf8) }) else { return nil }
        return String(decoding: fields[0], as: UTF8.self)
    }
}
