// SPDX-License-Identifier: Apache-2.0
// The `Match` blocks of sshd's settings: where each stands, and logins to which it applies. sshd itself is
// asked what it sets for them.
import Glibc

/// A `Match` block: settings for some accounts or addresses. The output of `sshd -T` for one account does not
/// show the blocks for others.
package struct SSHMatch: Equatable, Sendable {
    package let file: String
    /// The lines of the block, that of `Match` included.
    package let lines: Range<Int>
    /// The words of the `Match` line, without a comment.
    private let words: [String]

    /// What a block changes for one login.
    package struct Change: Sendable {
        /// The settings of the login, whichever block they come from.
        let settings: SSHSettings
        /// The keywords, in lower case, whose value comes from this block.
        let keys: Set<String>
    }

    /// File and line, for a sentence.
    package var place: String { "\(file):\(lines.lowerBound)" }
    /// The line, for a sentence.
    package var title: String { words.joined(separator: " ") }

    /// The blocks in one file. `Match all` is none: what it sets is in the settings of every account.
    static func all(in file: String) -> [SSHMatch] {
        guard let text = try? HostFile(file, followsLink: true).text, !isOwn(file, text) else { return [] }
        let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false).map {
            sshWords(String(decoding: $0, as: UTF8.self))
        }
        let starts = lines.indices.filter { lines[$0].first?.lowercased() == "match" }
        return zip(starts, starts.dropFirst() + [lines.endIndex]).compactMap { start, end in
            guard lines[start].dropFirst().map({ $0.lowercased() }) != ["all"] else { return nil }
            return SSHMatch(
                file: file, lines: start + 1..<end + 1, words: ["Match"] + lines[start].dropFirst())
        }
    }

    /// Whether this is setup's own drop-in, unchanged.
    static func isOwn(_ file: String, _ text: [UInt8]? = nil) -> Bool {
        guard file == SSHSettings.dropInFile else { return false }
        return (text ?? (try? HostFile(file).text))?.elementsEqual(SSHSettings.dropIn.utf8) ?? false
    }

    /// The patterns of a criterion, such as `user`.
    private func patterns(_ name: String) -> [String] {
        guard let at = words.firstIndex(where: { $0.lowercased() == name }), at + 1 < words.count else {
            return []
        }
        return words[at + 1].split(separator: ",").map(String.init)
    }

    /// The accounts that the block names, which other criteria may restrict further; empty if it names none
    /// or has a pattern.
    package var names: [String] {
        let users = patterns("user")
        return users.contains { $0.contains { "*?!".contains($0) } } ? [] : users
    }

    /// Logins that the block applies to: of each account that it names (20 at most), else of one.
    var logins: [SSHLogin] {
        var login = SSHLogin()
        if let text = example(of: "address") { login.address = text }
        if let text = example(of: "localaddress") { login.localAddress = text }
        if let text = example(of: "host") { login.host = text }
        if let text = example(of: "localport") { login.localPort = text }
        if let text = example(of: "rdomain") { login.routingDomain = text }
        let group = patterns("group").lazy.compactMap(member).first
        let users = names.isEmpty ? [group ?? example(of: "user") ?? login.user] : Array(names.prefix(20))
        return users.map { user in
            var one = login
            one.user = user
            return one
        }
    }

    /// A text that the first positive pattern of a criterion matches: of a network its address, and a letter
    /// or digit for each wildcard.
    private func example(of name: String) -> String? {
        guard let pattern = patterns(name).first(where: { !$0.hasPrefix("!") }) else { return nil }
        return String(pattern.prefix { $0 != "/" }.map { "*?".contains($0) ? "1" : $0 })
    }
}

/// A member of a group; nil if there is no such group, or nobody in it.
private func member(of group: String) -> String? {
    guard let found = unsafe getgrnam(group)?.pointee else { return nil }
    if let first = unsafe found.gr_mem?.pointee { return unsafe String(cString: first) }
    let id = unsafe found.gr_gid
    setpwent()
    defer { endpwent() }
    while let entry = unsafe getpwent() {
        if unsafe entry.pointee.pw_gid == id { return unsafe String(cString: entry.pointee.pw_name) }
    }
    return nil
}

/// The words of a line: a blank or `=` ends one, except between quotes; `#` begins a comment.
private func sshWords(_ line: String) -> [String] {
    var words = [""]
    var isQuoted = false
    for letter in line {
        if letter == "\"" || letter == "'" {
            isQuoted.toggle()
        } else if isQuoted || !" \t\r=".contains(letter) {
            words[words.count - 1].append(letter)
        } else if words.last != "" {
            words.append("")
        }
    }
    return words.filter { !$0.isEmpty }.prefix { !$0.hasPrefix("#") }.map(\.self)
}
