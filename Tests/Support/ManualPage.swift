// SPDX-License-Identifier: Apache-2.0
// What the manual pages say of the settings of a file, compared with the rows of the code.
import Foundation

/// A manual page of this checkout, or two, as far as they describe the settings of one file.
package struct ManualPage {
    /// The text of each setting, without markup.
    private var texts: [String: String] = [:]

    /// Reads the page of a file, such as `mpin.conf`, and the section of mpin-milagro(7) about it.
    package init(of file: String) throws {
        func page(_ name: String) throws -> String {
            try String(contentsOf: checkout.appending(path: "packaging/man/\(name)"), encoding: .utf8)
        }
        var text = try page("\(file).5").components(separatedBy: ".Sh FILES")[0]
        for part in try page("mpin-milagro.7").components(separatedBy: "\n.Sh ")
        where part.hasPrefix("SETTINGS OF \(file.uppercased())\n") { text += part }
        for item in text.components(separatedBy: "\n.It Cm ").dropFirst() {
            let lines = item.components(separatedBy: "\n")
            let body = lines.dropFirst().prefix { !$0.hasPrefix(".Ss ") && !$0.hasPrefix(".Sh ") }
            let words = body.map { $0.replacing(/^\.[A-Z][a-z]( |$)/, with: "") }.joined(separator: " ")
            for key in lines[0].matches(of: /[a-z][a-z-]*/) { texts[String(key.output)] = words }
        }
    }

    /// A sentence for each key that is not both in the manual and in the code.
    package func faults(of keys: some Sequence<String>) -> [String] {
        Set(keys).symmetricDifference(texts.keys).sorted().map {
            texts[$0] == nil ? "\($0) is not in the manual" : "\($0) is in the manual alone"
        }
    }

    /// A sentence for each thing that the text of a key lacks: its default, with the value if there is one,
    /// and these words.
    package func faults(_ key: String, usual: String?, words: String?) -> [String] {
        let text = texts[key] ?? ""
        let places = text.matches(of: /[Dd]efault/).map { place in
            let start = text.index(place.startIndex, offsetBy: -40, limitedBy: text.startIndex)
            let end = text.index(place.endIndex, offsetBy: 40, limitedBy: text.endIndex)
            return text[(start ?? text.startIndex)..<(end ?? text.endIndex)]
        }
        let isSaid = places.contains { place in usual.map { holds(place, $0) } ?? true }
        return (isSaid ? [] : ["\(key) has another default: \(usual ?? "")"])
            + (words.map { holds(text[...], $0) } ?? true ? [] : ["\(key): \(words ?? "")"])
    }
}

/// Whether a text has these words, and not as a part of others.
private func holds(_ text: Substring, _ words: String) -> Bool {
    text.ranges(of: words).contains { range in
        let before = text[..<range.lowerBound].last
        let after = text[range.upperBound...].first
        return ![before, after].contains { $0.map { $0.isLetter || $0.isNumber || $0 == "-" } ?? false }
    }
}
