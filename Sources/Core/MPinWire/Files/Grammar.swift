// SPDX-License-Identifier: Apache-2.0
// The grammar of mpin.conf, mpind.conf, users/UID and host: comments, sections, `key = value`.

/// One line `key = value`.
package struct Entry: Equatable, Sendable {
    /// The number of the line, counted from 1; 0 if the entry was not read from a file.
    package let line: Int
    package let key: [UInt8]
    /// Without blanks and tabs at its ends; empty for a secret that stays in the file (`parse(_:leaving:)`).
    package let value: [UInt8]
    /// The position of the value in the file, in octets.
    package let place: Range<Int>

    package init(line: Int = 0, key: [UInt8], value: [UInt8], place: Range<Int> = 0..<0) {
        self.line = line
        self.key = key
        self.value = value
        self.place = place
    }
}

/// A section and its entries in their order.
package struct Section: Equatable, Sendable {
    package let line: Int
    /// nil for the entries above the first `[section]`.
    package let name: [UInt8]?
    package var entries: [Entry]

    package init(line: Int = 0, name: [UInt8]?, entries: [Entry]) {
        self.line = line
        self.name = name
        self.entries = entries
    }
}

/// Why a file is refused, and in which line.
package struct GrammarError: Error, Equatable {
    /// What is wrong with the line.
    package enum Reason: Equatable, Sendable {
        /// The file has more than `Grammar.limit` octets; the line is 0.
        case tooLong
        /// The line has more than `Grammar.lineLimit` octets.
        case lineTooLong
        case notUTF8
        /// A NUL or a carriage return.
        case forbiddenByte
        /// Neither a comment nor a section nor `key = value`.
        case notALine
        /// The key is empty or has other characters than a to z, 0 to 9 and the hyphen.
        case badKey
        /// The name is empty or has other characters than printable ASCII without blanks and brackets.
        case badSectionName
        case duplicateSection
    }
    package let line: Int
    package let reason: Reason

    package init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

/// The limits of the grammar.
package enum Grammar {
    /// The most octets of a file.
    package static let limit = 65_536
    /// The most octets of a line, without its end.
    package static let lineLimit = 1_024
}

/// Parses a file. The first section has no name and is present even if it is empty.
package func parse(_ octets: [UInt8]) throws(GrammarError) -> [Section] {
    try parse(octets.span)
}

/// Parses a file that contains secrets: the values of `secretKeys` are not copied; `Entry.place` says where
/// they are.
package func parse(
    _ file: RawSpan, leaving secretKeys: [StaticString]
) throws(GrammarError) -> [Section] {
    try parse(Span(_bytes: file), leaving: secretKeys)
}

private func parse(
    _ file: Span<UInt8>, leaving secretKeys: [StaticString] = []
) throws(GrammarError) -> [Section] {
    guard file.count <= Grammar.limit else { throw GrammarError(line: 0, reason: .tooLong) }
    var sections = [Section(name: nil, entries: [])]
    var line = 0
    var start = 0
    while start < file.count {
        line += 1
        var end = start
        while end < file.count, file[end] != 0x0a { end += 1 }
        do {
            try readGrammarLine(
                at: start..<end, of: file, number: line, leaving: secretKeys, into: &sections)
        } catch {
            throw GrammarError(line: line, reason: error)
        }
        start = end + 1
    }
    return sections
}
