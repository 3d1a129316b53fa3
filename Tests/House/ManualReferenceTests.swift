// SPDX-License-Identifier: Apache-2.0
// Manual pages, and sections in them, that pages and other texts name must exist.
import Foundation
import Testing

@Suite struct ManualReferenceTests {
    @Test func `each page of ours that a page refers to exists`() {
        var count = 0
        for page in Manual.pages {
            for line in page.lines where line.hasPrefix(".Xr ") {
                let words = line.split(separator: " ")
                guard words.count > 2, words[1].hasPrefix("mpin") || words[1] == "pam_mpin" else { continue }
                #expect(Manual.named("\(words[1])(\(words[2]))") != nil, "\(page.path): \(line)")
                count += 1
            }
        }
        #expect(count > 50)
    }

    @Test func `each section that a page refers to exists`() {
        var count = 0
        for page in Manual.pages {
            for line in page.lines where line.hasPrefix(".Sx ") {
                let section = line.dropFirst(4).prefix { $0 != "." && $0 != "," }
                let title = section.trimmingCharacters(in: .whitespaces)
                #expect(Manual.pages.contains { $0.sections.contains(title) }, "\(page.path): \(line)")
                count += 1
            }
        }
        #expect(count > 10)
    }

    @Test func `each section of a page that a text names exists`() {
        let named = /((?:pam_)?mpin[a-z.-]*\([1578]\)), ([A-Z][A-Z -]*[A-Z])/
        var count = 0
        for line in Reader.lines {
            for match in line.text.matches(of: named) {
                let (name, section) = (String(match.1), String(match.2))
                // The name of a section may go on in the next line.
                let isThere = Manual.named(name)?.sections.contains { $0.hasPrefix(section) } ?? false
                #expect(isThere, "\(line.place): \(name), \(section)")
                count += 1
            }
        }
        #expect(count > 5)
    }
}

/// A manual page.
private struct Manual {
    let path: String
    let lines: [String]

    static let pages = House.files(in: ["packaging/man"]) { $0.last?.isNumber == true }.map {
        Manual(path: $0.path, lines: $0.lines)
    }

    /// The page of a name such as "mpind.conf(5)".
    static func named(_ name: String) -> Manual? {
        let file = name.replacing("(", with: ".").replacing(")", with: "")
        return pages.first { $0.path.hasSuffix("/" + file) }
    }

    var sections: [String] {
        lines.filter { $0.hasPrefix(".Sh ") || $0.hasPrefix(".Ss ") }.map { String($0.dropFirst(4)) }
    }
}
