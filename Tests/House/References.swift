// SPDX-License-Identifier: Apache-2.0
// The texts of this checkout that people read (documents, comments, manual pages), and the names in them.
import Foundation

/// A line that people read, without the code before it.
struct ReadLine: Sendable {
    let path: String
    let number: Int
    let text: String

    var place: String { "\(path):\(number)" }
}

/// The texts that people read.
enum Reader {
    /// Every document, wherever it is.
    static let documents =
        House.files(in: ["docs", "Sources", "Tests", "packaging"]) { $0.hasSuffix(".md") }
        + ["README.md"].compactMap(House.file)

    /// The last components of the paths of all documents.
    static let names = Set(documents.map { String($0.path.split(separator: "/").last ?? "") })

    /// The lines of documents and manual pages, and the comments of all other files.
    static let lines: [ReadLine] =
        documents.flatMap(lines)
        + House.files(in: ["Sources", "Tests", "packaging", "pam.d"], where: isRead).flatMap(lines)

    /// Whether the file is for people; other files are data, or generated.
    private static func isRead(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return true }
        let known: Set = [
            "swift", "c", "h", "py", "js", "mjs", "css", "1", "5", "7", "8", "conf", "service", "socket",
        ]
        return known.contains(String(name[name.index(after: dot)...]))
    }

    private static func lines(of file: SourceFile) -> [ReadLine] {
        let mark = commentMark(of: file.path)
        return file.lines.enumerated().compactMap { index, line in
            guard let text = comment(in: line, mark) else { return nil }
            return ReadLine(path: file.path, number: index + 1, text: String(text))
        }
    }

    /// The sign that begins a comment; nil if the whole file is for people.
    private static func commentMark(of path: String) -> String? {
        switch path.split(separator: ".").last {
        case "md", "1", "5", "7", "8": nil
        case "swift", "c", "h", "js", "mjs", "css": "/"
        default: "#"
        }
    }

    private static func comment(in line: String, _ mark: String?) -> Substring? {
        switch mark {
        case .none: line[...]
        case "#": line.firstIndex(of: "#").map { line[$0...] }
        default:
            if line.drop(while: { $0 == " " }).hasPrefix("*") {
                line[...]
            } else {
                (line.range(of: "//") ?? line.range(of: "/*")).map { line[$0.lowerBound...] }
            }
        }
    }
}

extension ReadLine {
    /// Names and paths: letters, digits, and the signs within a path; the end of a sentence is cut off.
    var words: [String] {
        text.split { !($0.isLetter || $0.isNumber || "_./*-".contains($0)) }.map { word in
            var word = word
            while let last = word.last, ".-*".contains(last), !word.hasSuffix("/*") { word.removeLast() }
            return String(word)
        }
    }

    /// Paths below the folders of the checkout.
    var paths: [String] {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return [] }
        return words.filter { word in
            ["Sources/", "Tests/", "docs/", "packaging/", "pam.d/"].contains(where: word.hasPrefix)
        }
    }

    /// Documents that are named without their folder.
    var documents: [String] {
        guard text.contains(".md") else { return [] }
        return words.filter { $0.hasSuffix(".md") && !$0.contains("/") }
    }

    /// Targets of links within this checkout, without the anchor.
    var links: [String] {
        text.components(separatedBy: "](").dropFirst().compactMap { rest in
            let target = rest.prefix { $0 != ")" && $0 != "#" }
            return target.isEmpty || target.contains(":") ? nil : String(target)
        }
    }

    /// Numbers of the threats that are named as `T 13`.
    var threats: [Int] {
        var numbers: [Int] = []
        guard text.contains("T ") else { return [] }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        for (index, word) in words.enumerated().dropLast() {
            guard word == "T" || word.hasSuffix("(T") || word.hasSuffix("|T") else { continue }
            let digits = words[index + 1].prefix { $0.isNumber }
            if let number = Int(digits) { numbers.append(number) }
        }
        return numbers
    }

    /// Sections of documents: `seal.md, section 4`, and the same after a link or with several numbers.
    var sections: [(document: String, number: Int)] {
        let parts = text.components(separatedBy: ".md")
        return parts.indices.dropFirst().flatMap { index in
            let name = parts[index - 1].split { !($0.isLetter || $0.isNumber || ".-_".contains($0)) }.last
            let rest = parts[index].drop { $0 != "," }
            let between = parts[index].prefix { $0 != "," }
            let isNamed = between.allSatisfy { ")`]".contains($0) }
            guard let name, isNamed, rest.hasPrefix(", section") else { return [(String, Int)]() }
            let numbers = rest.drop { !$0.isNumber }.prefix { $0.isNumber || ", and".contains($0) }
            return numbers.split { !$0.isNumber }.compactMap { Int($0) }.map { ("\(name).md", $0) }
        }
    }
}

/// The texts between backquotes.
func quotedTexts(in line: String) -> [String] {
    line.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
}

/// The names between backquotes with capital and small letters: `Authority`, `checkSecrets()`. Paths and
/// whole statements are not names.
func namesOfCode(in line: String) -> [String] {
    quotedTexts(in: line).flatMap { text -> [String] in
        let parts = text.replacing("()", with: "").split(separator: ".", omittingEmptySubsequences: false)
        let areWords = parts.allSatisfy { part in
            part.first?.isLetter == true && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard areWords, parts.last != "swift", parts.last != "md" else { return [] }
        return parts.map(String.init).filter {
            $0.contains(where: \.isLowercase) && $0.contains(where: \.isUppercase)
        }
    }
}
