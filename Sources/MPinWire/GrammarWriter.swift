// SPDX-License-Identifier: Apache-2.0
// Sections as a file: the inverse of `parse`.

/// The file that `parse` reads as these sections. What no file can say (a line break in a label, a blank at
/// the end of a value) is refused: the error names the line of the file that would have been written.
package func written(_ sections: [Section]) throws(GrammarError) -> [UInt8] {
    var file: [UInt8] = []
    for section in sections {
        if let name = section.name {
            if !file.isEmpty { file.append(0x0a) }
            file.append(0x5b)
            file.append(contentsOf: name)
            file.append(contentsOf: [0x5d, 0x0a])
        }
        for entry in section.entries {
            file.append(contentsOf: entry.key)
            file.append(contentsOf: [0x20, 0x3d, 0x20])
            file.append(contentsOf: entry.value)
            file.append(0x0a)
        }
    }
    guard says(try parse(file), sections) else { throw GrammarError(line: 0, reason: .notALine) }
    return file
}

/// Whether two lists of sections say the same, wherever it stands; an empty part above the first section
/// says nothing.
private func says(_ a: [Section], _ b: [Section]) -> Bool {
    let a = a.filter { $0.name != nil || !$0.entries.isEmpty }
    let b = b.filter { $0.name != nil || !$0.entries.isEmpty }
    return a.count == b.count
        && zip(a, b).allSatisfy { a, b in
            a.name == b.name && a.entries.count == b.entries.count
                && zip(a.entries, b.entries).allSatisfy { $0.key == $1.key && $0.value == $1.value }
        }
}
