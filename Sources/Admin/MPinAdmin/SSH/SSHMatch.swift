// SPDX-License-Identifier: Apache-2.0
// The `Match` blocks of sshd's settings: the logins that each block applies to, and its settings.
import Glibc

/// A `Match` block: settings for some accounts or addresses. The output of `sshd -T` for one account does not
/// show the blocks for others.
struct SSHMatch: Equatable, Sendable {
    /// A criterion of the `Match` line, with its patterns.
    struct Criterion: Equatable, Sendable {
        /// The name in lower case, such as `user`.
        let name: String
        /// The patterns; empty for `all` and `invalid-user`.
        let patterns: [String]
    }

    let file: String
    let line: Int
    /// The line itself, without a comment.
    private(set) var title = "Match"
    /// The criteria, which must all match; those of an outer block that includes this file are among them.
    private(set) var criteria: [Criterion] = []
    /// The settings of the block, in lower case, by keyword in lower case; the first of a keyword counts.
    fileprivate(set) var said: [String: String] = [:]

    /// File and line, for a sentence.
    var place: String { "\(file):\(line)" }

    /// The accounts that the block names, which other criteria may restrict further; empty if it names none
    /// or has a pattern.
    var names: [String] {
        criteria.first { criterion in
            criterion.name == "user" && criterion.patterns.allSatisfy { !$0.contains { "*?!".contains($0) } }
        }?.patterns ?? []
    }

    /// Whether the names of accounts are the only criterion.
    var isByNameAlone: Bool { criteria.count == 1 && !names.isEmpty }

    /// The blocks that set how users log in, from all files that sshd reads except setup's own drop-in.
    ///
    /// - Parameters:
    ///   - read: returns the text of a file; nil if there is none.
    ///   - expand: returns the files that match a pattern, in their order.
    static func blocks(
        in file: String = "/etc/ssh/sshd_config", read: @escaping (String) -> [UInt8]?,
        expand: @escaping (String) -> [String] = paths
    ) -> [SSHMatch] {
        all(in: file, read: read, expand: expand).filter { !decisive.isDisjoint(with: $0.said.keys) }
    }

    /// The blocks of all files except setup's own drop-in, whatever they set.
    static func all(
        in file: String = "/etc/ssh/sshd_config", read: @escaping (String) -> [UInt8]?,
        expand: @escaping (String) -> [String] = paths
    ) -> [SSHMatch] {
        var reader = MatchReader(read: read, expand: expand)
        reader.add(file, within: nil, depth: 0)
        // A file that is included twice gives each block twice.
        return reader.found.reduce(into: []) { found, match in
            if !found.contains(match) { found.append(match) }
        }
    }

    /// File and line of the first value of each keyword in lower case, outside of all blocks and of setup's
    /// own drop-in.
    static func places(
        in file: String = "/etc/ssh/sshd_config", read: @escaping (String) -> [UInt8]?,
        expand: @escaping (String) -> [String] = paths
    ) -> [String: String] {
        var reader = MatchReader(read: read, expand: expand)
        reader.add(file, within: nil, depth: 0)
        return reader.places
    }

    /// The keywords that decide whether PAM is asked, and with which stack.
    private static let decisive: Set<String> = [
        "authenticationmethods", "passwordauthentication", "kbdinteractiveauthentication", "usepam",
        "pamservicename", "gssapiauthentication", "hostbasedauthentication",
    ]

    /// The files that match a shell pattern.
    static func paths(_ pattern: String) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob(pattern, 0, nil, &found) == 0, let paths = unsafe found.gl_pathv else { return [] }
        return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe paths[index].map { unsafe String(cString: $0) }
        }
    }
}

/// Reads the files in the order in which sshd does.
private struct MatchReader {
    let read: (String) -> [UInt8]?
    let expand: (String) -> [String]
    var found: [SSHMatch] = []
    var places: [String: String] = [:]
    var count = 0

    /// - Parameter outer: the index of the block that includes the file; nil: none.
    mutating func add(_ file: String, within outer: Int?, depth: Int) {
        // sshd allows a depth of 16; the number of files is limited too, as they can include each other many
        // times.
        guard depth <= 16, count < 1_000, let text = read(file), !isOwn(file, text) else { return }
        count += 1
        // A block ends with its file.
        var block = outer
        let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let words = sshWords(String(decoding: line, as: UTF8.self))
            guard let word = words.first else { continue }
            let key = plainKey(word.lowercased())
            let arguments = words.dropFirst()
            if key == "match" {
                block = opened(arguments, within: outer, file: file, line: index + 1)
            } else if key == "include" {
                for pattern in arguments {
                    let path = pattern.hasPrefix("/") ? pattern : "/etc/ssh/" + pattern
                    for included in expand(path) { add(included, within: block, depth: depth + 1) }
                }
            } else if let block {
                let value = arguments.joined(separator: " ").lowercased()
                found[block].said[key] = found[block].said[key] ?? value
            } else if places[key] == nil {
                places[key] = "\(file):\(index + 1)"
            }
        }
    }

    /// The index of a new block. `Match all` opens none: what it sets is in the settings of every account.
    private mutating func opened(
        _ arguments: ArraySlice<String>, within outer: Int?, file: String, line: Int
    ) -> Int? {
        let own = criteria(arguments)
        guard own.map(\.name) != ["all"] else { return outer }
        let title = (["Match"] + arguments).joined(separator: " ")
        var all = own
        if let outer { all = found[outer].criteria + own }
        found.append(SSHMatch(file: file, line: line, title: title, criteria: all))
        return found.count - 1
    }

    private func isOwn(_ file: String, _ text: [UInt8]) -> Bool {
        file == SSHSettings.dropInFile && text.elementsEqual(SSHSettings.dropIn.utf8)
    }
}

/// The current name of a keyword that may have an older name.
private func plainKey(_ key: String) -> String {
    switch key {
    case "challengeresponseauthentication", "skeyauthentication": "kbdinteractiveauthentication"
    case "dsaauthentication": "pubkeyauthentication"
    default: key
    }
}

/// The criteria of a `Match` line: pairs of a name and patterns, with a blank or `=` between them.
private func criteria(_ arguments: ArraySlice<String>) -> [SSHMatch.Criterion] {
    var rest = arguments.flatMap { $0.split(separator: "=").map(String.init) }[...]
    var found: [SSHMatch.Criterion] = []
    while let name = rest.popFirst()?.lowercased() {
        let isAlone = name == "all" || name == "invalid-user"
        let patterns = isAlone ? nil : rest.popFirst()
        found.append(
            SSHMatch.Criterion(name: name, patterns: patterns?.split(separator: ",").map(String.init) ?? []))
    }
    return found
}

/// Splits a line into keyword and arguments as sshd does: `=` may follow the keyword, a quoted word may have
/// blanks, a backslash escapes a quote or a blank, and `#` begins a comment where a word could begin.
private func sshWords(_ line: String) -> [String] {
    var words: [String] = []
    var rest = Array(line.unicodeScalars)[...]
    while true {
        rest = rest.drop(while: isBlank)
        if words.count == 1, rest.first == "=" { rest = rest.dropFirst().drop(while: isBlank) }
        guard let first = rest.first, first != "#" else { return words }
        words.append(sshWord(&rest, isKeyword: words.isEmpty))
    }
}

private func sshWord(_ rest: inout ArraySlice<Unicode.Scalar>, isKeyword: Bool) -> String {
    var word = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    while let letter = rest.first {
        if quote == nil, isBlank(letter) || isKeyword && letter == "=" { break }
        rest = rest.dropFirst()
        if letter == "\\", let next = rest.first, isEscaped(next, isQuoted: quote != nil) {
            word.append(next)
            rest = rest.dropFirst()
        } else if letter == quote {
            quote = nil
        } else if quote == nil, letter == "\"" || letter == "'" {
            quote = letter
        } else {
            word.append(letter)
        }
    }
    return String(word)
}

/// Whether a backslash before this character escapes it, and is not part of the word.
private func isEscaped(_ letter: Unicode.Scalar, isQuoted: Bool) -> Bool {
    switch letter {
    case "\"", "'", "\\": true
    case " ": !isQuoted
    default: false
    }
}

private func isBlank(_ letter: Unicode.Scalar) -> Bool {
    switch letter {
    case " ", "\t", "\r", "\u{c}": true
    default: false
    }
}
