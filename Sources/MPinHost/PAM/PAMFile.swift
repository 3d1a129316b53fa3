// SPDX-License-Identifier: Apache-2.0
// One file of /etc/pam.d, read as libpam 1.5 reads it; its text is kept: an edit changes nothing else.

/// Why a file is not taken, and where.
package struct PAMError: Error, Equatable {
    package enum Problem: Equatable, Sendable {
        case missing
        /// The system's error number.
        case unreadable(Int32)
        /// More than 64 KiB.
        case tooLong
        /// libpam takes no line above 1,023 octets, continued ones included.
        case lineTooLong
        /// NUL, a carriage return, or what is not UTF-8.
        case foreignOctet
        /// A backslash at the end of the last line.
        case endsContinued
        case unknownType(String)
        case badControl(String)
        case noControl
        case noModule
        /// A file that includes itself, or includes more than 16 deep.
        case includesItself
        /// A link, or no file: nobody knows whose text an edit would change.
        case notAFile
        /// Nothing here asks for a password, so there is no place for a PIN.
        case asksNothing
        /// pam_mpin.so stands here by somebody's hand, or by pam-auth-update's.
        case moduleIsThere
        /// A rule that passes over a number of others would count the new one too.
        case jumps
        /// The file that is included here lets somebody in before anything is asked; that one is the place.
        case belongsInto(String)
        /// A mark of `mpin setup` without its other one, or twice.
        case brokenMarks
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

package struct PAMRule: Equatable, Sendable {
    package let type: PAMType
    /// The type stands behind a hyphen: a module that is missing is not logged.
    package let isSilent: Bool
    package let control: PAMControl
    package let module: String
    package let arguments: [String]

    /// Whether the rule calls this module, by its name or by a path to it.
    package func calls(_ name: String) -> Bool { module == name || module.hasSuffix("/" + name) }
}

/// A line that says something, with those that continue it.
package struct PAMStatement: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case rule(PAMRule)
        /// `@include FILE`: all that stands there.
        case includeAll(String)
        /// `auth include FILE`, `auth substack FILE`: the rules of that type.
        case include(PAMType, String, isSubstack: Bool)
    }
    /// Of its first line, from 1.
    package let line: Int
    /// Where that line begins in the text.
    package let start: Int
    /// Where the line behind it begins.
    package let end: Int
    package let content: Content

    /// Whether auth rules come from here.
    var concernsAuth: Bool {
        switch content {
        case .rule(let rule): rule.type == .auth
        case .includeAll: true
        case .include(let type, _, _): type == .auth
        }
    }
}

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
    if first.lowercased() == "@include" { return .includeAll(words[1]) }
    let isSilent = first.hasPrefix("-")
    if isSilent { first = first.dropFirst() }
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
            arguments: Array(words.dropFirst(3))))
}
