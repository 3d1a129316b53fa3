// SPDX-License-Identifier: Apache-2.0
// Every type, file and document in the glossary must exist.
import Foundation
import Testing

@Suite struct GlossaryTests {
    private static let rows = (House.file("docs/GLOSSARY.md")?.lines ?? []).filter {
        $0.hasPrefix("| ") && !$0.hasPrefix("| term |")
    }

    /// The last column of each row.
    private static let places = rows.compactMap { $0.components(separatedBy: " | ").last }

    @Test func `each term has one row and three columns`() {
        #expect(GlossaryTests.rows.count > 60)
        for row in GlossaryTests.rows {
            #expect(row.components(separatedBy: "|").count == 5, "\(row)")
        }
        let terms = GlossaryTests.rows.flatMap {
            $0.components(separatedBy: "|")[1].components(separatedBy: ", ").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        #expect(Set(terms).count == terms.count)
    }

    @Test func `each type in it is declared in the module beside it`() {
        let declared = Set(
            House.swift.filter { $0.path.hasPrefix("Sources/") }.flatMap { file in
                let module = target(of: file)
                return file.lines.compactMap(declaration).map { "\($0) (\(module))" }
            })
        var count = 0
        for place in GlossaryTests.places {
            let modules = place.components(separatedBy: "(").dropFirst().flatMap {
                $0.prefix { $0 != ")" }.components(separatedBy: ", ")
            }
            for name in quotedTexts(in: place) where name.first?.isUppercase == true {
                guard !name.contains("."), !name.contains("/") else { continue }
                #expect(modules.contains { declared.contains("\(name) (\($0))") }, "\(name): \(place)")
                count += 1
            }
        }
        #expect(count > 60)
    }

    @Test func `each file and document in it exists`() {
        for place in GlossaryTests.places {
            for name in quotedTexts(in: place) where name.hasSuffix(".swift") {
                #expect(House.swift.contains { $0.path.hasSuffix("/" + name) }, "\(name)")
            }
            for link in place.components(separatedBy: "](").dropFirst() {
                let path = "docs/" + link.prefix { $0 != ")" }
                #expect(House.file(path) != nil, "\(path)")
            }
        }
    }
}

/// The name of the type that a line declares.
private func declaration(_ line: String) -> String? {
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    let kinds: Set = ["struct", "enum", "class", "protocol", "actor", "typealias"]
    guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
        !line.drop(while: { $0 == " " }).hasPrefix("//")
    else { return nil }
    return words[kind + 1]
}
