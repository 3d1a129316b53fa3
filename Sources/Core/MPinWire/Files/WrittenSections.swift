// SPDX-License-Identifier: Apache-2.0
// Writes sections as a file: the inverse of `parse`.

/// The file that `parse` reads as these sections. Throws an error for sections that a file cannot express,
/// for example with a line break in a label or a blank at the end of a value. The error has the line of the
/// file that would have been written, or 0.
package func written(_ sections: [Section]) throws(GrammarError) -> [UInt8] {
    var file = text(sections, between: [0x20, 0x3d, 0x20])
    if file.count > Grammar.limit
        || file.split(separator: 0x0a).contains(where: { $0.count > Grammar.lineLimit })
    {
        file = text(sections, between: [0x3d])
    }
    guard haveSameEntries(try parse(file), sections) else { throw GrammarError(line: 0, reason: .notALine) }
    return file
}

private func text(_ sections: [Section], between: [UInt8]) -> [UInt8] {
    var file: [UInt8] = []
    for section in sections {
        if let name = section.name { file += [0x5b] + name + [0x5d, 0x0a] }
        for entry in section.entries { file += entry.key + between + entry.value + [0x0a] }
    }
    return file
}

/// Whether two lists of sections have the same names, keys and values, whatever their lines. A missing part
/// above the first section equals an empty one.
private func haveSameEntries(_ a: [Section], _ b: [Section]) -> Bool {
    let a = a.filter { $0.name != nil || !$0.entries.isEmpty }
    let b = b.filter { $0.name != nil || !$0.entries.isEmpty }
    return a.elementsEqual(b) { a, b in
        a.name == b.name && a.entries.elementsEqual(b.entries) { $0.key == $1.key && $0.value == $1.value }
    }
}
