// SPDX-License-Identifier: Apache-2.0
// The lines between the marks of `mpin setup`: its own, which it takes out again, and those of others.

/// The lines between the marks in the text of a stack. The package's script leave-stacks reads them alike.
struct SetupBlock {
    /// The text without setup's lines.
    private(set) var rest: [UInt8] = []
    /// The lines that others wrote between the marks, and that stay.
    private(set) var kept: [String] = []

    /// nil if there are no marks. Throws if setup's lines cannot be told from others, or if a rule counts
    /// them: without them it would skip another rule.
    init?(_ text: [UInt8], in name: String) throws(PAMError) {
        let lines = physicalLines(text)
        let begins = lines.indices.filter { lines[$0].said.elementsEqual(Mark.begin.utf8) }
        let ends = lines.indices.filter { lines[$0].said.elementsEqual(Mark.end.utf8) }
        guard !begins.isEmpty || !ends.isEmpty else { return nil }
        guard begins.count == 1, ends.count == 1, let begin = begins.first, let end = ends.first, begin < end
        else {
            throw PAMError(
                file: name,
                "the marks of mpin setup are not a pair. The text from before setup is in "
                    + "\(HostPlaces.standard.backups).")
        }
        for (index, line) in lines.enumerated() {
            let isWithin = index > begin && index < end
            let rule = String(decoding: line.said.prefix { $0 != 0x23 }, as: UTF8.self)
            guard index > end || !mayCountRules(rule) else {
                throw PAMError.jumps(name, line: index + 1)
            }
            if isWithin, rule.trimmingBlanks.hasSuffix("\\") {
                throw PAMError(
                    file: name, line: index + 1,
                    "this line between the marks of mpin setup is continued, so it cannot be told what "
                        + "setup wrote. Edit the stack by hand.")
            }
            let isComment = index == begin + 1 && line.said.starts(with: "# ".utf8)
            guard index != begin, index != end, !isWithin || !isComment && !rule.contains(pamModule) else {
                continue
            }
            rest += text[line.range]
            if isWithin, !line.said.isEmpty { kept.append(String(decoding: line.said, as: UTF8.self)) }
        }
    }
}

private func physicalLines(_ text: [UInt8]) -> [(range: Range<Int>, said: ArraySlice<UInt8>)] {
    var lines: [(Range<Int>, ArraySlice<UInt8>)] = []
    var start = 0
    while start < text.count {
        let end = text[start...].firstIndex(of: 0x0a).map { $0 + 1 } ?? text.count
        lines.append((start..<end, text[start..<end].prefix { $0 != 0x0a }))
        start = end
    }
    return lines
}

/// Whether a line may be an auth rule, or the end of one, that skips a number of rules.
private func mayCountRules(_ line: String) -> Bool {
    let words = line.trimmingBlanks.lowercased()
    let others = ["account", "password", "session"]
    guard !others.contains(where: { words.hasPrefix($0) || words.hasPrefix("-" + $0) }),
        let open = words.firstIndex(of: "[")
    else { return false }
    let control = words[open...].prefix { $0 != "]" }
    return control.split(separator: "=").dropFirst().contains { $0.trimmingBlanks.first?.isNumber ?? false }
}

extension StringProtocol {
    fileprivate var trimmingBlanks: String {
        let from = drop { $0 == " " || $0 == "\t" }
        return String(from.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
