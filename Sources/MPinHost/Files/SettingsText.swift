// SPDX-License-Identifier: Apache-2.0
// mpin.conf as text in which single keys are set: every other line stays as its writer has it.
package import MPinWire

package struct SettingsText: Equatable, Sendable {
    private var lines: [String]

    /// Fails where the module would not read it either.
    package init(_ text: [UInt8]) throws(GrammarError) {
        _ = try parse(text)
        lines = String(decoding: text, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        if lines.last == "" { lines.removeLast() }
    }

    package var octets: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    /// Where a key stands, counted from 0, and what it says.
    private struct KeyPosition {
        let line: Int
        let value: String
    }

    /// The values of a key, above the first section or in one.
    package func values(_ key: String, in section: String? = nil) -> [String] {
        places(of: key, in: section).map(\.value)
    }

    /// What is true of a service: its own section's word, else the one above all sections.
    package func value(_ key: String, of service: String) -> String? {
        values(key, in: service).first ?? values(key).first
    }

    /// The names of its sections, in their order.
    package var sections: [String] {
        parsed.compactMap { $0.name.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Has the key say these values, where it stands or at the end of the section, which is made if it is not
    /// there. With no value the key goes.
    ///
    /// - Parameters:
    ///   - neighbour: The key behind which a new one is put, where that stands.
    ///   - comments: The first stands above the key from now on, in place of any of them.
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

    private var parsed: [Section] { (try? parse(octets)) ?? [] }

    private func section(_ name: String?) -> Section? {
        parsed.first { $0.name == name.map { Array($0.utf8) } }
    }

    private func places(of key: String, in name: String?) -> [KeyPosition] {
        (section(name)?.entries ?? []).filter { $0.key == Array(key.utf8) }.map {
            KeyPosition(line: $0.line - 1, value: String(decoding: $0.value, as: UTF8.self))
        }
    }

    /// Behind the last line that a section says; of one that is not there, behind everything.
    private func end(of name: String?) -> Int {
        guard let section = section(name) else { return lines.count }
        if let last = section.entries.last { return last.line }
        if name != nil { return section.line }
        // Nothing stands above the first section but comments.
        return lines.firstIndex { !$0.hasPrefix("#") } ?? lines.count
    }
}
