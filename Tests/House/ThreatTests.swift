// SPDX-License-Identifier: Apache-2.0
// Each threat is in the list of threats, and the tests that it names exist and always run.
import Foundation
import Testing

/// A section of `docs/threats`.
private struct Threat {
    let number: Int
    let title: String
    let text: String

    static let all = House.files(in: ["docs/threats"]) { $0.hasSuffix(".md") }.flatMap { file in
        "\n\(file.text)".components(separatedBy: "\n## T ").dropFirst().compactMap { section in
            section.wholeMatch(of: #/(\d+): (.*?)\n((?s).*)/#).map {
                Threat(number: Int($0.1) ?? 0, title: String($0.2), text: String($0.3))
            }
        }
    }
}

@Suite struct ThreatTests {
    @Test func `the list of threats contains each of them, under its title`() throws {
        let rows = try #require(House.file("docs/THREATS.md")).lines.filter { $0.hasPrefix("| T ") }
        #expect(rows.count == Threat.all.count && Set(Threat.all.map(\.number)) == Set(1...rows.count))
        for threat in Threat.all {
            let row = "| T \(threat.number) | \(threat.title) |"
            #expect(rows.contains { $0.contains(row) }, "\(row)")
        }
    }

    @Test func `each threat has a test, and each test that it names exists`() throws {
        for threat in Threat.all {
            let items = threat.text.replacing("\n  ", with: " ").matches(of: #/- `(Tests\/[^`]+)`: (.*)/#)
            #expect(!items.isEmpty, "T \(threat.number)")
            for item in items {
                let file = try #require(House.file(String(item.1)), "T \(threat.number): \(item.1)")
                for name in item.2.matches(of: #/`([^`]+)`|"([^"]+)"/#) {
                    let title = name.2 ?? ""
                    let isSwift = file.path.hasSuffix(".swift")
                    let isThere = file.text.contains(
                        name.1.map { "def \($0)(" } ?? (isSwift ? "func `\(title)`" : "\(title)"))
                    #expect(isThere, "T \(threat.number): \(item.1): \(name.0)")
                }
            }
        }
    }

    @Test func `a test that only test-long runs names one that always runs, and no threat names it`() {
        let mark = #/@pytest\.mark\.long\("(Tests\/[^:]+): ([^)]+)"\)\n(?:@.*\n)*def (\w+)\(/#
        for file in House.files(in: ["Tests"], where: { $0.hasSuffix(".py") }) {
            for item in file.text.matches(of: mark) {
                let title = item.2.replacing(#/"\s+"/#, with: "")
                let shown = House.file(String(item.1))?.text.contains("func `\(title)`")
                let isThreat = Threat.all.contains {
                    $0.text.contains(file.path) && $0.text.contains("`\(item.3)`")
                }
                #expect(shown == true && !isThreat, "\(file.path): \(item.3)")
            }
        }
    }
}
