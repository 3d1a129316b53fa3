// SPDX-License-Identifier: Apache-2.0
// Splits a file of /etc/pam.d into logical lines as libpam does: comments removed, continued lines joined,
// words split.

/// The lines of a file that are neither empty nor comments.
struct LogicalLines {
    struct NumberedLine {
        /// The number of its first physical line, counted from 1.
        let number: Int
        let start: Int
        let end: Int
        let words: [String]
    }

    private let name: String
    private let text: [UInt8]
    private var position = 0
    private var number = 0

    init(_ name: String, _ text: [UInt8]) {
        self.name = name
        self.text = text
    }

    /// The next line; nil at the end. As in libpam, an empty line or a comment within a continued line is
    /// skipped.
    mutating func next() throws(PAMError) -> NumberedLine? {
        var joined: [UInt8] = []
        var first: (number: Int, start: Int)?
        while position < text.count {
            let start = position
            let (line, ended) = try physicalLine()
            guard let line else { continue }
            if first == nil { first = (number, start) }
            joined += line
            guard joined.count < 1_024 else {
                throw PAMError(
                    file: name, line: number, reason: .lineTooLong,
                    "the line is longer than libpam takes (1023 bytes).")
            }
            if ended, let first { return try finished(joined, number: first.number, start: first.start) }
        }
        guard first == nil else {
            throw PAMError(
                file: name, line: number, "the last line is continued, but nothing follows.")
        }
        return nil
    }

    /// The content of one physical line, nil if it is empty or a comment; and whether the logical line ends
    /// there.
    private mutating func physicalLine() throws(PAMError) -> (said: [UInt8]?, ended: Bool) {
        let end = text[position...].firstIndex(of: 0x0a) ?? text.endIndex
        var line = text[position..<end]
        position = min(end + 1, text.count)
        number += 1
        guard !line.contains(where: { $0 == 0 || $0 == 0x0d }) else {
            throw .noText(name, line: number)
        }
        line = line.drop(while: isBlank)
        guard let first = line.first, first != 0x23 else { return (nil, false) }
        if let comment = line.firstIndex(of: 0x23) { return (Array(line[..<comment]), true) }
        while let last = line.last, isBlank(last) { line = line.dropLast() }
        guard line.last == 0x5c else { return (Array(line), true) }
        return (Array(line.dropLast()) + [0x20], false)
    }

    private func finished(_ octets: [UInt8], number: Int, start: Int) throws(PAMError) -> NumberedLine {
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw .noText(name, line: number)
        }
        return NumberedLine(number: number, start: start, end: position, words: words(text))
    }
}

private func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }

/// The words between blanks. A word that begins with `[` reaches to the closing `]`; `\]` does not close it.
private func words(_ text: String) -> [String] {
    var words: [String] = []
    var rest = text.unicodeScalars[...]
    while true {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard let first = rest.first else { return words }
        var end = rest.startIndex
        if first == "[" {
            var isEscaped = false
            while end < rest.endIndex, rest[end] != "]" || isEscaped {
                isEscaped = rest[end] == "\\"
                end = rest.index(after: end)
            }
            if end < rest.endIndex { end = rest.index(after: end) }
        } else {
            end = rest.firstIndex { $0 == " " || $0 == "\t" } ?? rest.endIndex
        }
        words.append(String(rest[..<end]))
        rest = rest[end...]
    }
}
