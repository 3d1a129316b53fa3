// SPDX-License-Identifier: Apache-2.0
// How root still gets in when M-Pin lets nobody in: the way back that a host must keep.

/// What is known of a host, for the question which way in stays.
package struct WaysIn: Equatable, Sendable {
    /// Whether root has a password that can be typed.
    package var rootHasPassword = false
    /// Services by which root gets in with it, and in which M-Pin is not asked. `su` counts only for those
    /// who got in before it.
    package var passwordServices: [String] = []
    /// Whether people get in by ssh with a password, and without M-Pin: from there `su` leads on.
    package var sshTakesPassword = false
    /// Whether sshd takes a key of root's, and root has one.
    package var rootHasKey = false
    /// Whoever is not enrolled is asked for the password, root too.
    package var passesUnenrolled = false

    package init() {}

    /// Those that hold whatever happens to the server, in words; none is a host that can lock its owner out.
    package var certain: [String] {
        var ways: [String] = []
        if rootHasPassword, let service = passwordServices.first(where: { $0 != "su" }) {
            ways.append("root's password by \(service)")
        } else if rootHasPassword, sshTakesPassword, passwordServices.contains("su") {
            ways.append("root's password by su, after a login by ssh")
        }
        if rootHasPassword, passesUnenrolled { ways.append("root's password, because root is not enrolled") }
        if rootHasKey { ways.append("root's ssh key") }
        return ways
    }
}

/// Whether a text of authorized_keys has a key that lets its owner in to do what he likes: not one for a
/// single command, for signing others, or for a time.
package func hasLoginKey(_ text: [UInt8]) -> Bool {
    text.split(separator: 0x0a).contains { line in
        let line = line.drop(while: isBlank)
        guard line.first != UInt8(ascii: "#") else { return false }
        if isKey(line) { return true }
        let (options, rest) = keyOptions(line)
        return isKey(rest) && options.isDisjoint(with: ["command", "cert-authority", "expiry-time"])
    }
}

/// Whether a text of authorized_keys has a key, whatever it is good for.
package func hasKey(_ text: [UInt8]) -> Bool {
    text.split(separator: 0x0a).contains { line in
        let line = line.drop(while: isBlank)
        guard line.first != UInt8(ascii: "#") else { return false }
        return isKey(line) || isKey(keyOptions(line).rest)
    }
}

/// The names of the options in front of a key, and what stands behind them. A value may stand in quotes, and
/// a quote in it behind a backslash.
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

/// Type and key. The shortest, Ed25519's, has 68 letters, and each begins with the length of its type.
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

/// The groups of an account, by the text of /etc/group.
package func groups(of name: String, gid: UInt32, group: [UInt8]) -> [String] {
    group.split(separator: 0x0a).compactMap { line in
        let fields = line.split(separator: 0x3a, omittingEmptySubsequences: false)
        guard fields.count > 3 else { return nil }
        let isOwn = UInt32(String(decoding: fields[2], as: UTF8.self)) == gid
        let members = fields[3].split(separator: 0x2c)
        guard isOwn || members.contains(where: { $0.elementsEqual(name.utf8) }) else { return nil }
        return String(decoding: fields[0], as: UTF8.self)
    }
}
