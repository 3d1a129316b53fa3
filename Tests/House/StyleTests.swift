// SPDX-License-Identifier: Apache-2.0
// The form of every file: header, length, forbidden words.
import Foundation
import Testing

@Suite struct StyleTests {
    private static let scripts =
        House.files(in: [
            "Tests/System/Login", "Tests/System/Packages", "Tests/System/support", "packaging", ".ci",
        ]) {
            !$0.contains("/man/") && !$0.hasSuffix(".pyc") && !$0.hasSuffix(".json")
        }.filter { !$0.path.hasPrefix("packaging/debian/") || $0.isProgram }
        + ["Makefile"].compactMap(House.file)

    @Test func `a file names its licence and says what it contains`() {
        #expect(House.swift.count > 20 && House.c.count > 5 && Self.scripts.count > 3)
        for file in House.swift + House.c + Self.scripts {
            var lines = file.lines[...]
            if lines.first?.hasPrefix("#!") == true || lines.first?.hasPrefix("// swift-tools") == true {
                lines = lines.dropFirst()
            }
            let licence = lines.first ?? ""
            let sentence = lines.dropFirst().first ?? ""
            #expect(licence.hasSuffix("SPDX-License-Identifier: Apache-2.0"), "\(file.path)")
            let text = sentence.drop { "/# ".contains($0) }
            #expect(sentence.hasPrefix("// ") || sentence.hasPrefix("# "), "\(file.path)")
            #expect(text.split(separator: " ").count > 3, "\(file.path)")
        }
    }

    @Test func `files, functions and lines are short`() {
        for file in House.swift + House.c + Self.scripts {
            #expect(file.lines.count <= 300, "\(file.path): \(file.lines.count) lines")
            for (number, line) in file.lines.enumerated() {
                #expect(line.count <= 110, "\(file.path):\(number + 1)")
            }
        }
        for file in House.swift where file.path.hasPrefix("Sources/") {
            for (number, length) in functions(of: file) {
                #expect(length < 40, "\(file.path):\(number): a function of \(length) lines")
            }
        }
    }

    @Test func `a document has 400 lines at most`() {
        let folders = ["docs", "Sources", "Tests", "packaging"]
        for document in House.files(in: folders, where: { $0.hasSuffix(".md") }) {
            #expect(document.lines.count <= 401, "\(document.path): \(document.lines.count) lines")
        }
    }

    @Test func `no work is marked as left for later`() {
        let forbidden = [
            "TO" + "DO", "FIX" + "ME", "XX" + "X:", "place" + "holder", "for " + "now",
            "not " + "implemented",
        ]
        for file in House.swift + House.c + Self.scripts {
            for (number, line) in file.lines.enumerated() {
                for word in forbidden {
                    #expect(!line.contains(word), "\(file.path):\(number + 1): \(word)")
                }
            }
        }
    }

    @Test func `no source contains an expression that traps`() {
        let traps = [
            "try!", "as!", "fatalError(", "precondition(", "preconditionFailure(", "unowned(", "!.",
            "@unchecked Sendable",
        ]
        let known = [
            "Sources/Core/Secrets/Secret.swift: @unchecked Sendable",
            "Sources/Server/MPinDatabase/Engine/Inbox.swift: @unchecked Sendable",
            // libssl counts the references to a context, and locks what its connections share.
            "Sources/Server/mpind/TLS/TLSContext.swift: @unchecked Sendable",
            // Only results of our own functions become values there.
            "Sources/Core/Octets/FixedOctets.swift: precondition(",
        ]
        for file in House.swift where file.path.hasPrefix("Sources/") {
            for (number, line) in file.lines.enumerated() {
                let code = line.components(separatedBy: "//").first ?? ""
                for trap in traps where code.contains(trap) && !known.contains("\(file.path): \(trap)") {
                    Issue.record("\(file.path):\(number + 1): \(trap)")
                }
            }
        }
    }

    @Test func `what Swift chooses at random in a unit test comes from a seed`() {
        let sources = ["random(in:", "Bool.random(", "randomElement(", "shuffled(", "shuffle("]
        for file in House.swift where file.path.hasPrefix("Tests/Unit/") {
            for (number, line) in file.lines.enumerated() where !line.contains("using: &") {
                for source in sources where line.contains(source) {
                    Issue.record("\(file.path):\(number + 1): \(source)")
                }
            }
        }
    }

    @Test func `no file names the machine on which it was written`() {
        let own = House.root.path
        #expect(own.count > 1)
        let places = ["/" + "work/", "/opt/" + "swift", own]
        let files =
            House.swift + House.c + Self.scripts + ["Package.swift", "README.md"].compactMap(House.file)
        for file in files {
            for place in places {
                #expect(!file.lines.contains { $0.contains(place) }, "\(file.path): \(place)")
            }
        }
    }
}

/// Functions of a formatted file: the number of the first line, and the count of lines to the closing brace.
private func functions(of file: SourceFile) -> [(number: Int, length: Int)] {
    var found: [(number: Int, length: Int)] = []
    for (index, line) in file.lines.enumerated() {
        let words = line.prefix { $0 != "(" && $0 != "<" && $0 != "{" }.split(separator: " ")
        guard words.contains("func") || words.last == "init" || words.last == "init?" else { continue }
        let indent = line.prefix { $0 == " " }
        // A requirement of a protocol has no body: the line after it is no part of it.
        guard let body = file.lines[index...].firstIndex(where: { $0.hasSuffix("{") || $0.hasSuffix("}") }),
            file.lines[index...body].dropFirst().allSatisfy({
                $0.hasPrefix(indent + " ") || $0.hasPrefix(indent + ")")
            }),
            let end = file.lines[body...].firstIndex(where: {
                $0 == indent + "}" || $0 == line && line.hasSuffix("}")
            })
        else { continue }
        found.append((index + 1, end - index + 1))
    }
    return found
}

extension SourceFile {
    /// Other files of a Debian package have formats of their own.
    fileprivate var isProgram: Bool { path.hasSuffix(".py") || lines.first?.hasPrefix("#!") == true }
}
