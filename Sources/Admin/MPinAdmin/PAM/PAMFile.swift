// SPDX-License-Identifier: Apache-2.0
// One file of /etc/pam.d, read as libpam 1.5 reads it. It keeps the text, so that an edit changes nothing
// else.

/// Why a file cannot be read or edited, and where.
struct PAMError: Error, Equatable {
    /// What callers decide by.
    enum Reason: Sendable { case missing, lineTooLong, other }

    let file: String
    /// Counted from 1; 0 for the whole file.
    let line: Int
    let reason: Reason
    let sentence: String

    init(file: String, line: Int = 0, reason: Reason = .other, _ sentence: String) {
        (self.file, self.line, self.reason, self.sentence) = (file, line, reason, sentence)
    }

    static func missing(_ file: String, line: Int = 0) -> PAMError {
        PAMError(file: file, line: line, reason: .missing, "there is no such file.")
    }

    static func noText(_ file: String, line: Int) -> PAMError {
        PAMError(
            file: file, line: line, "the line has a NUL, a carriage return, or octets that are not UTF-8.")
    }

    /// A rule that skips a number of others would count the new rule too.
    static func jumps(_ file: String, line: Int) -> PAMError {
        PAMError(
            file: file, line: line,
            "this rule skips a number of rules, and with one rule more or less it would skip the wrong "
                + "ones. Edit the stack by hand.")
    }
}

enum PAMType: String, Sendable { case auth, account, password, session }

/// A rule: it calls a module.
struct PAMRule: Equatable, Sendable {
    let type: PAMType
    /// Whether the type has a hyphen before it: then libpam does not log a missing module.
    let isSilent: Bool
    let control: PAMControl
    let module: String
    let arguments: [String]

    /// Whether the rule calls this module, by its name or by a path to it.
    func calls(_ name: String) -> Bool { module == name || module.hasSuffix("/" + name) }
}

/// A line with its continuations: a rule or an include.
struct PAMStatement: Equatable, Sendable {
    /// What a statement says.
    enum Content: Equatable, Sendable {
        case rule(PAMRule)
        /// `@include FILE`: all statements of that file.
        case includeAll(String)
        /// `auth include FILE`, `auth substack FILE`: the rules of that type.
        case include(PAMType, String, isSubstack: Bool)
    }
    /// The number of its first line, counted from 1.
    let line: Int
    /// The offset of that line in the text.
    let start: Int
    /// The offset of the line after the statement.
    let end: Int
    let content: Content

    /// Whether the statement is, or may include, auth rules.
    var concernsAuth: Bool {
        switch content {
        case .rule(let rule): rule.type == .auth
        case .includeAll: true
        case .include(let type, _, _): type == .auth
        }
    }
}

/// A file of /etc/pam.d, with its text and its statements.
struct PAMFile: Equatable, Sendable {
    let name: String
    let text: [UInt8]
    let statements: [PAMStatement]

    init(_ name: String, text: [UInt8]) throws(PAMError) {
        guard text.count <= 65_536 else {
            throw PAMError(
                file: name, "it is longer than 64 KiB.")
        }
        self.name = name
        self.text = text
        var lines = LogicalLines(name, text)
        var statements: [PAMStatement] = []
        while let line = try lines.next() {
            if let content = try content(of: line.words, file: name, line: line.number) {
                statements.append(
                    PAMStatement(line: line.number, start: line.start, end: line.end, content: content))
            }
        }
        self.statements = statements
    }
}

private func content(
    of words: [String], file: String, line: Int
) throws(PAMError) -> PAMStatement.Content? {
    guard var first = words.first?[...] else { return nil }
    guard words.count > 1 else {
        throw PAMError(
            file: file, line: line, "the line ends where a control is expected.")
    }
    let isSilent = first.hasPrefix("-")
    if isSilent { first = first.dropFirst() }
    if first.lowercased() == "@include" { return .includeAll(words[1]) }
    guard let type = PAMType(rawValue: first.lowercased()) else {
        throw PAMError(
            file: file, line: line,
            "'\(shown(words[0]))' is not one of auth, account, password, session, @include.")
    }
    guard words.count > 2 else {
        throw PAMError(
            file: file, line: line, "the line names no module.")
    }
    switch words[1].lowercased() {
    case "include": return .include(type, words[2], isSubstack: false)
    case "substack": return .include(type, words[2], isSubstack: true)
    default: break
    }
    guard let control = PAMControl(words[1]) else {
        throw PAMError(
            file: file, line: line, "libpam knows no control '\(shown(words[1]))'.")
    }
    return .rule(
        PAMRule(
            type: type, isSilent: isSilent, control: control, module: words[2],
            arguments: words.dropFirst(3).map(argument)))
}

/// An argument as the module gets it: without the brackets around it, which let it have blanks.
private func argument(_ word: String) -> String {
    guard word.hasPrefix("["), word.hasSuffix("]") else { return word }
    return String(word.dropFirst().dropLast()).replacing("\\]", with: "]")
}
