// SPDX-License-Identifier: Apache-2.0
// The `Match` blocks of sshd's settings: whom each of them sets apart, and what it says for them.
import Glibc

/// A `Match` block that says for some people or places how they come in: what sshd prints of one account
/// tells nothing of it.
package struct SSHMatch: Equatable, Sendable {
    /// A word of the `Match` line with its patterns.
    package struct Criterion: Equatable, Sendable {
        /// In small letters, as `user`.
        package let name: String
        /// None for `all` and `invalid-user`.
        package let patterns: [String]
    }

    package let file: String
    package let line: Int
    /// The line itself, without a comment.
    package let title: String
    /// All of them must fit; those of a block that includes this one's file are among them.
    package let criteria: [Criterion]
    /// What it says, by keyword in small letters; what it says first counts.
    package fileprivate(set) var said: [String: String] = [:]

    package var place: String { "\(file):\(line)" }

    package init(file: String, line: Int, title: String = "Match", criteria: [Criterion] = []) {
        self.file = file
        self.line = line
        self.title = title
        self.criteria = criteria
    }

    /// The accounts that it names, of which other criteria may leave some out; none where it names none, or a
    /// pattern.
    package var names: [String] {
        criteria.first { criterion in
            criterion.name == "user" && criterion.patterns.allSatisfy { !$0.contains { "*?!".contains($0) } }
        }?.patterns ?? []
    }

    /// Whether its accounts are named, and nothing else is asked of them.
    package var isByNameAlone: Bool { criteria.count == 1 && !names.isEmpty }

    /// Those that say how people come in, of all files that sshd reads, but not of setup's own drop-in.
    ///
    /// - Parameters:
    ///   - read: the text of a file, nil for none.
    ///   - expand: the files that a pattern stands for, in their order.
    package static func blocks(
        in file: String = "/etc/ssh/sshd_config", read: @escaping (String) -> [UInt8]?,
        expand: @escaping (String) -> [String] = paths
    ) -> [SSHMatch] {
        all(in: file, read: read, expand: expand).filter { !telling.isDisjoint(with: $0.said.keys) }
    }

    /// Those of all files, whatever they say.
    package static func all(
        in file: String = "/etc/ssh/sshd_config", read: @escaping (String) -> [UInt8]?,
        expand: @escaping (String) -> [String] = paths
    ) -> [SSHMatch] {
        var reader = MatchReader(read: read, expand: expand)
        reader.add(file, within: nil, depth: 0)
        // A file that is included twice says everything twice.
        return reader.found.reduce(into: []) { found, match in
            if !found.contains(match) { found.append(match) }
        }
    }

    /// What decides whether PAM is asked, and by which stack.
    private static let telling: Set<String> = [
        "authenticationmethods", "passwordauthentication", "kbdinteractiveauthentication", "usepam",
        "pamservicename", "gssapiauthentication", "hostbasedauthentication",
    ]

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

/// Reads the files in the order in which sshd does.
private struct MatchReader {
    let read: (String) -> [UInt8]?
    let expand: (String) -> [String]
    var found: [SSHMatch] = []
    var count = 0

    /// - Parameter outer: the block in which the file is included.
    mutating func add(_ file: String, within outer: Int?, depth: Int) {
        // sshd takes 16 deep; files that include each other many times are counted too.
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
            } else if let block, found[block].said[key] == nil {
                found[block].said[key] = arguments.joined(separator: " ").lowercased()
            }
        }
    }

    /// The number of a new block. What is for all stands in the settings of each account.
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

/// Older names of keywords.
private func plainKey(_ key: String) -> String {
    switch key {
    case "challengeresponseauthentication", "skeyauthentication": "kbdinteractiveauthentication"
    case "dsaauthentication": "pubkeyauthentication"
    default: key
    }
}

/// What stands behind `Match`. Its words are in pairs, with a blank or a sign of equality between them.
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

/// Keyword and arguments as sshd parts them: a sign of equality may follow the keyword, quotes hold blanks
/// together, a backslash stands before a quote or a blank, and '#' begins a comment where a word could begin.
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

/// Whether a backslash before it is none of the word.
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
