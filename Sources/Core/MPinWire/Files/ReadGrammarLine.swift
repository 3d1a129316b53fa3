// SPDX-License-Identifier: Apache-2.0
// Parses one line of the grammar.
import Octets

extension GrammarError.Reason: Error {}

/// Parses the line at `place`, whose number is `line`, and adds its section or entry to `sections`.
func readGrammarLine(
    at place: Range<Int>, of file: Span<UInt8>, number line: Int, leaving secretKeys: [StaticString],
    into sections: inout [Section]
) throws(GrammarError.Reason) {
    try check(place, of: file)
    let place = file.cut(place)
    guard let first = place.first, file[first] != 0x23 else { return }
    if file[first] == 0x5b {
        sections.append(Section(line: line, name: try name(place, of: file, beside: sections), entries: []))
        return
    }
    guard let equals = place.first(where: { file[$0] == 0x3d }) else { throw .notALine }
    let key = file.copy(file.cut(place.lowerBound..<equals))
    guard !key.isEmpty, key.allSatisfy(isKeySign) else { throw .badKey }
    let value = file.cut(equals + 1..<place.upperBound)
    let isSecret = secretKeys.contains { key.spells($0) }
    let entry = Entry(line: line, key: key, value: isSecret ? [] : file.copy(value), place: value)
    sections[sections.count - 1].entries.append(entry)
}

/// Checks what applies to every line, including comments.
private func check(_ place: Range<Int>, of file: Span<UInt8>) throws(GrammarError.Reason) {
    guard place.count <= Grammar.lineLimit else { throw .lineTooLong }
    guard !place.contains(where: { file[$0] == 0 || file[$0] == 0x0d }) else {
        throw .forbiddenByte
    }
    guard isUTF8(file.extracting(place)) else { throw .notUTF8 }
}

private func name(
    _ place: Range<Int>, of file: Span<UInt8>, beside sections: [Section]
) throws(GrammarError.Reason) -> [UInt8] {
    guard place.count >= 2, file[place.upperBound - 1] == 0x5d else { throw .notALine }
    let name = file.copy(place.lowerBound + 1..<place.upperBound - 1)
    guard !name.isEmpty, name.allSatisfy(isNameSign) else { throw .badSectionName }
    guard !sections.contains(where: { $0.name == name }) else { throw .duplicateSection }
    return name
}

private func isKeySign(_ octet: UInt8) -> Bool {
    (0x61...0x7a).contains(octet) || (0x30...0x39).contains(octet) || octet == 0x2d
}

private func isNameSign(_ octet: UInt8) -> Bool {
    (0x21...0x7e).contains(octet) && octet != 0x5b && octet != 0x5d
}

extension Span<UInt8> {
    func copy(_ place: Range<Int>) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(place.count)
        for index in place { octets.append(self[index]) }
        return octets
    }

    /// The range without the blanks and tabs at its ends.
    func cut(_ place: Range<Int>) -> Range<Int> {
        var place = place
        while let first = place.first, isBlank(self[first]) { place.removeFirst() }
        while let last = place.last, isBlank(self[last]) { place.removeLast() }
        return place
    }
}

private func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }
