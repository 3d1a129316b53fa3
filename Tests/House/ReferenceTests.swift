// SPDX-License-Identifier: Apache-2.0
// Files, sections, threats and tests that documents, comments and manual pages name must exist.
import Foundation
import Testing

@Suite struct ReferenceTests {
    @Test func `each path in a text exists`() {
        var lost: [String] = []
        for line in Reader.lines {
            for path in line.paths where !isThere(path) { lost.append("\(line.path) \(path)") }
        }
        #expect(Reader.lines.flatMap(\.paths).count > 100)
        expectExceptions("references", of: lost)
    }

    @Test func `the target of each link in a document exists`() {
        var count = 0
        for line in Reader.lines where line.path.hasSuffix(".md") {
            let folder = line.path.split(separator: "/").dropLast().joined(separator: "/")
            for link in line.links {
                let path = URL(filePath: "/" + folder).appending(path: link).standardized.path.dropFirst()
                #expect(isThere(String(path)), "\(line.place): \(link)")
                count += 1
            }
        }
        #expect(count > 30)
    }

    @Test func `each document in a text exists`() {
        for line in Reader.lines {
            for name in line.documents {
                #expect(Reader.names.contains(name), "\(line.place): \(name)")
            }
        }
    }

    @Test func `each section in a text is in its document`() {
        var count = 0
        for line in Reader.lines {
            for (name, number) in line.sections {
                let document = Reader.documents.first { $0.path.hasSuffix("/" + name) }
                let heading = "## \(number). "
                let isThere = document?.lines.contains { $0.hasPrefix(heading) } ?? false
                #expect(isThere, "\(line.place): \(name), section \(number)")
                count += 1
            }
        }
        #expect(count > 30)
    }

    @Test func `each name of code in a document is in the code`() {
        let code = Set(
            House.swift.flatMap { file in
                // Folders have names too.
                ([file.path] + file.lines).flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
            })
        var count = 0
        // These name the fields of messages, and Milagro's own functions.
        let others = ["docs/protocol/", "Sources/MPinClient/MPinClient.docc/FromMilagrosNames.md"]
        for document in Reader.documents where !others.contains(where: document.path.hasPrefix) {
            for (index, line) in document.lines.enumerated() {
                for name in namesOfCode(in: line) {
                    #expect(code.contains(name[...]), "\(document.path):\(index + 1): \(name)")
                    count += 1
                }
            }
        }
        #expect(count > 150)
    }

    /// Names of documents that this checkout does not have.
    @Test func `nothing refers to a document without its name`() {
        let words = ["(spec", "spec:", "spec/", "(wire ", "wire spec", "(threat ", "(threats ", "pam-facts"]
        for line in Reader.lines {
            for word in words where line.text.contains(word) { Issue.record("\(line.place): \(word)") }
        }
    }

    @Test func `a document has 400 lines at most`() {
        for document in Reader.documents {
            #expect(document.lines.count <= 401, "\(document.path): \(document.lines.count) lines")
        }
    }

    @Test func `each threat in a text is in the list of threats`() {
        let numbers = Set(Threat.all.map(\.number))
        #expect(numbers == Set(1...numbers.count) && numbers.count >= 40)
        for line in Reader.lines {
            for number in line.threats { #expect(numbers.contains(number), "\(line.place): T \(number)") }
        }
    }

    @Test func `the list of threats contains each of them, under its title`() throws {
        let list = try #require(House.file("docs/THREATS.md")).lines
        for threat in Threat.all {
            #expect(list.contains("| T \(threat.number) | \(threat.title) |"), "T \(threat.number)")
        }
        let rows = list.count { $0.hasPrefix("| T ") }
        #expect(rows == Threat.all.count)
    }

    @Test func `each threat has a test, and each test that it names exists`() {
        for threat in Threat.all {
            for test in threat.tests {
                #expect(test.isThere, "T \(threat.number): \(test.path): \(test.name)")
            }
        }
        expectExceptions("threats", of: Threat.all.filter(\.tests.isEmpty).map { "T \($0.number)" })
    }

    @Test func `a name is found whatever surrounds it`() {
        let line = ReadLine(
            path: "docs/a.md", number: 1,
            text: "(T 13) `Tests/House/*.txt` [login.md](../login.md), sections 3 and 5; seal.md, section 2.")
        #expect(line.threats == [13])
        #expect(line.paths == ["Tests/House/*.txt"])
        #expect(line.links == ["../login.md"])
        #expect(line.documents == ["login.md", "seal.md"])
        #expect(line.sections.map(\.document) == ["login.md", "login.md", "seal.md"])
        #expect(line.sections.map(\.number) == [3, 5, 2])
    }
}

/// Whether a path below the checkout is that of a file or a folder; with a star, whether its folder exists.
private func isThere(_ path: String) -> Bool {
    var name = path[...]
    if let star = path.firstIndex(of: "*") {
        name = path[..<star]
        while let last = name.last, last != "/" { name.removeLast() }
    }
    return FileManager.default.fileExists(atPath: House.root.appending(path: String(name)).path)
}

/// A section of `docs/threats`.
private struct Threat {
    let number: Int
    let title: String
    let tests: [NamedTest]

    static let all = House.files(in: ["docs/threats"]) { $0.hasSuffix(".md") }.flatMap(sections)

    private static func sections(of file: SourceFile) -> [Threat] {
        let starts = file.lines.indices.filter { file.lines[$0].hasPrefix("## T ") }
        return zip(starts, starts.dropFirst() + [file.lines.endIndex]).compactMap { start, end in
            let heading = file.lines[start].dropFirst("## T ".count)
            let parts = heading.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]) else { return nil }
            return Threat(
                number: number, title: parts[1].trimmingCharacters(in: .whitespaces),
                tests: items(file.lines[(start + 1)..<end]).flatMap(NamedTest.named))
        }
    }

    /// The items of a list that begin with the file of a test, each joined with its continuation lines.
    private static func items(_ lines: ArraySlice<String>) -> [String] {
        var items: [String] = []
        var isOpen = false
        for line in lines {
            if line.hasPrefix("- `Tests/") {
                items.append(line)
                isOpen = true
            } else if isOpen, line.hasPrefix("  ") {
                items[items.count - 1] += " " + line.trimmingCharacters(in: .whitespaces)
            } else {
                isOpen = false
            }
        }
        return items
    }
}

/// A test that a threat names: `file`: `function`, "title".
private struct NamedTest {
    let path: String
    let name: String
    /// Whether the name is a function of Python; otherwise it is a title of Swift, or a sentence of a script.
    let isFunction: Bool

    static func named(in item: String) -> [NamedTest] {
        let parts = item.components(separatedBy: "`: ")
        let path = String(parts[0].dropFirst("- `".count))
        let names = parts.dropFirst().joined(separator: "`: ")
        let functions = names.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }
        let titles = names.components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }
        return functions.map { NamedTest(path: path, name: $0.element, isFunction: true) }
            + titles.map { NamedTest(path: path, name: $0.element, isFunction: false) }
    }

    var isThere: Bool {
        guard let text = House.file(path)?.lines.joined(separator: "\n") else { return false }
        if isFunction { return text.contains("def \(name)(") }
        return text.contains(path.hasSuffix(".swift") ? "func `\(name)`" : name)
    }
}
