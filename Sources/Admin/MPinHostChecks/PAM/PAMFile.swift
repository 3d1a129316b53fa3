// SPDX-License-Identifier: Apache-2.0
// One file of /etc/pam.d, read as libpam 1.5 reads it. It keeps the text, so that an edit changes nothing
// else.

/// Why a file cannot be read or edited, and where.
package struct PAMError: Error, Equatable {
    package enum Problem: Equatable, Sendable {
        case missing
        /// The system's error number.
        case unreadable(Int32)
        /// More than 64 KiB.
        case tooLong
        /// A line, with its continuations, has more than 1,023 octets, which libpam refuses.
        case lineTooLong
        /// A line has a NUL, a carriage return, or octets that are not UTF-8.
        case foreignOctet
        /// The last line ends with a backslash.
        case endsContinued
        case unknownType(String)
        case badControl(String)
        case noControl
        case noModule
        /// The file includes itself, or includes are more than 16 deep.
        case includesItself
        /// The path is a link, or not a file: an edit could change a text that belongs elsewhere.
        case notAFile
        /// No rule here asks for a password, so there is no place for a PIN.
        case asksNothing
        /// pam_mpin.so is here already, added by an administrator or by pam-auth-update.
        case moduleIsThere
        /// A rule that skips a number of others would count the new rule too.
        case jumps
        /// The included file with this name can let users in before anything is asked; the rule belongs
        /// there.
        case belongsInto(String)
        /// A mark of `mpin setup` is there without its counterpart, or twice.
        case brokenMarks
        /// A line between the marks is continued, so it cannot be told which rule is setup's.
        case continuedWithinMarks
        /// Nobody can log in here, and with the rule users could.
        case letsNobodyIn
        /// No rule refuses a user by itself, so a PIN would be enough beside a wrong password.
        case refusesNobody
        /// The file belongs to a package; the administrator's own would have this name.
        case ofPackage(String)
    }
    package let file: String
    /// Counted from 1; 0 for the whole file.
    package let line: Int
    package let problem: Problem

    package init(file: String, line: Int, problem: Problem) {
        self.file = file
        self.line = line
        self.problem = problem
    }
}

package enum PAMType: String, Sendable { case auth, account, password, session }

/// A rule: it calls a module.
package struct PAMRule: Equatable, Sendable {
    package let type: PAMType
    /// Whether the type has a hyphen before it: then libpam does not log a missing module.
    package let isSilent: Bool
    package let control: PAMControl
    package let module: String
    package let arguments: [String]

    /// Whether the rule calls this module, by its name or by a path to it.
    package func calls(_ name: String) -> Bool { module == name || module.hasSuffix("/" + name) }
}

/// A line with its continuations: a rule or an include.
package struct PAMStatement: Equatable, Sendable {
    /// What a statement says.
    package enum Content: Equatable, Sendable {
        case rule(PAMRule)
        /// `@include FILE`: all statements of that file.
        case includeAll(String)
        /// `auth include FILE`, `auth substack FILE`: the rules of that type.
        case include(PAMType, String, isSubstack: Bool)
    }
    /// The number of its first line, counted from 1.
    package let line: Int
    /// The offset of that line in the text.
    package let start: Int
    /// The offset of the line after the statement.
    package let end: Int
    package let content: Content

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
package struct PAMFile: Equatable, Sendable {
    package let name: String
    package let text: [UInt8]
    package let statements: [PAMStatement]

    package init(_ name: String, text: [UInt8]) throws(PAMError) {
        guard text.count <= 65_536 else { throw PAMError(file: name, line: 0, problem: .tooLong) }
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
    guard words.count > 1 else { throw PAMError(file: file, line: line, problem: .noControl) }
    let isSilent = first.hasPrefix("-")
    if isSilent { first = first.dropFirst() }
    if first.lowercased() == "@include" { return .includeAll(words[1]) }
    guard let type = PAMType(rawValue: first.lowercased()) else {
        throw PAMError(file: file, line: line, problem: .unknownType(words[0]))
    }
    guard words.count > 2 else { throw PAMError(file: file, line: line, problem: .noModule) }
    switch words[1].lowercased() {
    case "include": return .include(type, words[2], isSubstack: false)
    case "substack": return .include(type, words[2], isSubstack: true)
    default: break
    }
    guard let control = PAMControl(words[1]) else {
        throw PAMError(file: file, line: line, problem: .badControl(words[1]))
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
