// SPDX-License-Identifier: Apache-2.0
// The text of mpin.conf, in which single keys can be set; all other lines stay as they are.
package import MPinWire

/// The text of mpin.conf, for reading and setting single keys.
package struct SettingsText: Equatable, Sendable {
    private var lines: [String]

    /// Throws if the grammar of the text is wrong: then the module would refuse it too.
    package init(_ text: [UInt8]) throws(GrammarError) {
        _ = try parse(text)
        lines = String(decoding: text, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        if lines.last == "" { lines.removeLast() }
    }

    /// The text, with a newline after each line.
    package var octets: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    /// The line of a key, counted from 0, and its value.
    private struct KeyPosition {
        let line: Int
        let value: String
    }

    /// The values of a key in a section; nil: above the first section.
    package func values(_ key: String, in section: String? = nil) -> [String] {
        places(of: key, in: section).map(\.value)
    }

    /// The value of a key for a service: that in its own section, else that above all sections.
    package func value(_ key: String, of service: String) -> String? {
        values(key, in: service).first ?? values(key).first
    }

    /// The names of the sections, in the order of the text.
    package var sections: [String] {
        parsed.compactMap { $0.name.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Sets a key to these values: at its old place, or at the end of the section, which is made if it is
    /// missing. An empty list removes the key.
    ///
    /// - Parameters:
    ///   - neighbour: The key after which a new key is inserted, if that key is present.
    ///   - comments: The first becomes the comment above the key, and replaces any of the others there.
    package mutating func set(
        _ key: String, _ values: [String], in section: String? = nil, after neighbour: String? = nil,
        comments: [String] = []
    ) {
        let old = places(of: key, in: section)
        let behind = neighbour.flatMap { places(of: $0, in: section).last?.line }
        guard old.map(\.value) != values else { return }
        var new = values.map { "\(key) = \($0)" }
        if !new.isEmpty, let comment = comments.first { new.insert(comment, at: 0) }
        var at = old.first?.line ?? behind.map { $0 + 1 } ?? end(of: section)
        for place in old.reversed() { lines.remove(at: place.line) }
        if old.isEmpty {
            if let section, !sections.contains(section) { new = ["", "[\(section)]"] + new }
        } else if at > 0, comments.contains(lines[at - 1]) {
            at -= 1
            lines.remove(at: at)
        }
        lines.insert(contentsOf: new, at: at)
    }

    /// The lines of a section that are not empty, comments among them; nil if there is no such section.
    package func lines(of name: String) -> [String]? {
        body(of: name).map { $0.filter { !$0.isEmpty } }
    }

    /// Takes a section away, with the empty lines before it.
    package mutating func remove(section name: String) {
        guard let body = body(of: name) else { return }
        var first = body.startIndex - 1
        while first > 0, lines[first - 1].isEmpty { first -= 1 }
        lines.removeSubrange(first...(body.lastIndex { !$0.isEmpty } ?? body.startIndex - 1))
    }

    /// The lines after the name of a section, up to the next one.
    private func body(of name: String) -> ArraySlice<String>? {
        guard let start = section(name)?.line else { return nil }
        return lines[start...].prefix { !$0.drop { $0 == " " || $0 == "\t" }.hasPrefix("[") }
    }

    private var parsed: [Section] { (try? parse(octets)) ?? [] }

    private func section(_ name: String?) -> Section? {
        parsed.first { $0.name == name.map { Array($0.utf8) } }
    }

    private func places(of key: String, in name: String?) -> [KeyPosition] {
        (section(name)?.entries ?? []).filter { $0.key == Array(key.utf8) }.map {
            KeyPosition(line: $0.line - 1, value: String(decoding: $0.value, as: UTF8.self))
        }
    }

    /// The index after the last entry of a section; for a missing section, the end of the text.
    private func end(of name: String?) -> Int {
        guard let section = section(name) else { return lines.count }
        if let last = section.entries.last { return last.line }
        if name != nil { return section.line }
        // There are only comments above the first section.
        return lines.firstIndex { !$0.hasPrefix("#") } ?? lines.count
    }
}
