// SPDX-License-Identifier: Apache-2.0
// Names, labels and documentation of what the sources declare. Each rule has its exceptions in `exceptions`.
import Foundation
import Testing

@Suite struct DeclarationTests {
    private static let sources = House.swift.filter { $0.path.hasPrefix("Sources/") }

    @Test func `a file is named after a type, an extension or a function in it`() {
        let misnamed = Self.sources.filter { !isNamedAfterItsContents($0) }.map(\.path)
        expectExceptions("file-names", of: misnamed)
    }

    @Test func `no function has three parameters without a label`() {
        let bare = Self.sources.flatMap { file in
            file.declarations.filter { $0.unlabelled > 2 }.map { declared in
                "\(file.path) \(declared.name.isEmpty ? declared.kind.rawValue : declared.name)"
            }
        }
        expectExceptions("unlabelled", of: bare)
    }

    @Test func `public declarations are documented`() {
        for file in Self.sources {
            for declared in undocumented(in: file, access: "public") {
                Issue.record("\(file.path):\(declared.line): \(declared.kind) \(declared.name)")
            }
        }
    }

    /// Exempt are `encode(to:)`, which `Codable` documents, and operators, which need no text.
    @Test func `the types and functions of the lower floors are documented`() {
        let floors: Set = ["MPin", "MPinWire", "MPinProof", "Secrets", "Pairing"]
        let bare = Self.sources.filter { floors.contains(target(of: $0)) }.flatMap { file in
            undocumented(in: file, access: "package").filter { declared in
                declared.kind.isType || declared.kind == .func && !["", "encode"].contains(declared.name)
            }.map { "\(file.path) \($0.name)" }
        }
        expectExceptions("undocumented-functions", of: bare)
    }

    /// A number that is too high would hide new gaps, so it fails too.
    @Test func `a target has exactly the listed number of undocumented package declarations`() throws {
        var counts: [String: Int] = [:]
        for file in Self.sources {
            let number = undocumented(in: file, access: "package").count
            if number > 0 { counts[target(of: file), default: 0] += number }
        }
        var allowed: [String: Int] = [:]
        for (target, number) in exceptions("undocumented") {
            allowed[target] = try #require(Int(number) as Int?, "\(target): \(number)")
        }
        for target in Set(counts.keys).union(allowed.keys).sorted() {
            let found = counts[target, default: 0]
            #expect(found == allowed[target, default: 0], "\(target) has \(found) without documentation")
        }
    }

    @Test func `a declaration is found whatever precedes it and whatever it contains`() {
        let file = SourceFile(
            path: "Two.swift",
            lines: [
                "/// Documented.", "@_cdecl(\"a (b)\") public func two<T>(", "    _ a: (T, Int), b: T,",
                "    _ c: [T: T] = [:], _ d: T", ") {", "    package init?(_ a: Int) {}", "}",
                "private let text = \"\"\"", "    struct No {}", "    \"\"\"", "#if DEBUG",
                "    extension Outer.Two {}", "#endif", "initialize(_: 1)",
            ])
        let found = file.declarations
        #expect(found.map(\.name) == ["two", "", "text", "Outer.Two"])
        #expect(found.map(\.unlabelled) == [3, 1, 0, 0])
        #expect(found.map(\.access) == ["public", "package", "", ""])
        #expect(found.map(\.isDocumented) == [true, false, false, false])
        #expect(found.map(\.isTopLevel) == [true, false, true, true])
        #expect(isNamedAfterItsContents(file))
        #expect(!isNamedAfterItsContents(SourceFile(path: "Twofold.swift", lines: file.lines)))
        #expect(isNamedAfterItsContents(SourceFile(path: "OuterWord.swift", lines: file.lines)))
    }
}

/// Whether the file's name is that of a type, an extended type or a top-level declaration of the file, or
/// begins with it as a whole word: `Login.swift`, `LoginOTP.swift`, `Login+OTP.swift`. The case of letters is
/// ignored except for types.
private func isNamedAfterItsContents(_ file: SourceFile) -> Bool {
    let name = file.path.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""
    guard name != "main" else { return true }
    return file.declarations.contains { declared in
        let isType = declared.kind.isType || declared.kind == .extension
        guard isType || declared.isTopLevel else { return false }
        return declared.name.split(separator: ".").contains { part in
            let begins =
                isType ? name.hasPrefix(part) : name.lowercased().hasPrefix(part.lowercased())
            let next = name.dropFirst(part.count).first
            return begins && next.map { $0 == "+" || $0.isUppercase } != false
        }
    }
}

private func undocumented(in file: SourceFile, access: String) -> [Declaration] {
    file.declarations.filter { $0.access == access && !$0.isDocumented && $0.kind != .extension }
}

/// Each line of a list is `WHAT: WHY`; a `*` in WHAT matches any text.
func exceptions(_ list: String) -> [(what: String, why: String)] {
    let lines = House.file("Tests/House/exceptions/\(list).txt")?.lines ?? []
    return lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map { line in
        let parts = line.components(separatedBy: ": ")
        return (parts[0], parts.dropFirst().joined(separator: ": "))
    }
}

/// Fails for each broken rule that is not listed, and for each line of the list that is not needed.
func expectExceptions(_ list: String, of broken: [String]) {
    let listed = exceptions(list)
    for found in broken where !listed.contains(where: { matches(found, $0.what) }) {
        Issue.record("\(found) is not in \(list).txt")
    }
    for (what, why) in listed {
        #expect(why.split(separator: " ").count > 2, "\(what) needs a reason")
        #expect(broken.contains { matches($0, what) }, "\(what) needs no exception")
    }
}

private func matches(_ text: String, _ pattern: String) -> Bool {
    let parts = pattern.components(separatedBy: "*")
    guard parts.count > 1 else { return text == pattern }
    return text.count >= pattern.count - 1 && text.hasPrefix(parts[0])
        && text.hasSuffix(parts[parts.count - 1])
}
