// SPDX-License-Identifier: Apache-2.0
// The declarations of a formatted source, found line by line in its text: enough for the rules of the house.
import Foundation

struct Declaration {
    enum Kind: String {
        case `struct`, `enum`, `class`, `protocol`, `actor`, `typealias`, `extension`
        case `func`, `init`, `subscript`, `let`, `var`

        var isType: Bool {
            switch self {
            case .struct, .enum, .class, .protocol, .actor, .typealias: true
            case .extension, .func, .`init`, .subscript, .let, .var: false
            }
        }
    }

    let kind: Kind
    /// `Outer.Inner` for the extension of a nested type; empty for an initializer or a subscript.
    let name: String
    /// `public`, `package`, or neither.
    let access: String
    /// Counted from 1.
    let line: Int
    /// Whether it is declared in the file or in an `#if` of the file, not in a type or a function.
    let isTopLevel: Bool
    let isDocumented: Bool
    /// The number of parameters without an argument label.
    let unlabelled: Int
}

private let modifiers: Set = [
    "public", "package", "internal", "private", "fileprivate", "static", "final", "indirect", "mutating",
    "nonmutating", "nonisolated", "override", "convenience", "required", "consuming", "borrowing", "lazy",
    "unsafe", "weak", "isolated", "private(set)", "internal(set)", "fileprivate(set)", "nonisolated(unsafe)",
]

extension SourceFile {
    /// The declarations of the file, at any depth. Text between `"""` is ignored.
    var declarations: [Declaration] {
        var found: [Declaration] = []
        var isInText = false
        var outermost = ""
        for (index, line) in lines.enumerated() {
            let wasInText = isInText
            if line.components(separatedBy: "\"\"\"").count.isMultiple(of: 2) { isInText.toggle() }
            let indent = line.prefix { $0 == " " }.count
            if indent == 0, !line.isEmpty { outermost = line }
            let isTopLevel = indent == 0 || indent == 4 && outermost.hasPrefix("#")
            if !wasInText, let declared = declaration(at: index, isTopLevel: isTopLevel) {
                found.append(declared)
            }
        }
        return found
    }

    private func declaration(at index: Int, isTopLevel: Bool) -> Declaration? {
        var rest = lines[index].drop { $0 == " " }
        var access = ""
        while true {
            if rest.first == "@" {
                rest = withoutAttribute(rest)
            } else {
                let word = rest.prefix { $0 != " " }
                guard modifiers.contains(String(word)) else { break }
                if word == "public" || word == "package" { access = String(word) }
                rest = rest.dropFirst(word.count).drop { $0 == " " }
            }
        }
        let word = rest.prefix { $0.isLetter }
        guard let kind = Declaration.Kind(rawValue: String(word)) else { return nil }
        let next = rest.dropFirst(word.count)
        let isUnnamed = kind == .`init` || kind == .subscript
        guard let sign = next.first, isUnnamed ? "(<?!".contains(sign) : sign == " " else { return nil }
        let name = next.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return Declaration(
            kind: kind, name: isUnnamed ? "" : String(name), access: access,
            line: index + 1, isTopLevel: isTopLevel, isDocumented: isDocumented(at: index),
            unlabelled: kind == .func || isUnnamed ? unlabelled(in: next, from: index) : 0)
    }

    /// Attributes and conditions may separate a declaration from its comment.
    private func isDocumented(at index: Int) -> Bool {
        let before = lines[..<index].map { $0.drop { $0 == " " } }
        return before.last { !$0.hasPrefix("@") && !$0.hasPrefix("#") }?.hasPrefix("///") == true
    }

    /// A comma between generic arguments also separates, but no part there begins with `_ `.
    private func unlabelled(in rest: Substring, from index: Int) -> Int {
        var depth = 0
        var parameter = ""
        var count = 0
        let text = ([String(rest)] + lines[(index + 1)...].prefix(20)).joined(separator: "\n")
        for sign in text.drop(while: { $0 != "(" }) {
            if ")]}".contains(sign) { depth -= 1 }
            if depth == 0 && sign == ")" || depth == 1 && sign == "," {
                count += parameter.drop(while: { $0.isWhitespace }).hasPrefix("_ ") ? 1 : 0
                parameter = ""
            } else if depth > 0 {
                parameter.append(sign)
            }
            if "([{".contains(sign) { depth += 1 }
            if depth == 0 { return count }
        }
        return count
    }
}

private func withoutAttribute(_ text: Substring) -> Substring {
    var rest = text.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" }
    if rest.first == "(" {
        var depth = 0
        repeat {
            if rest.first == "(" { depth += 1 }
            if rest.first == ")" { depth -= 1 }
            rest = rest.dropFirst()
        } while depth > 0 && !rest.isEmpty
    }
    return rest.drop { $0 == " " }
}
