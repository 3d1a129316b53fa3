// SPDX-License-Identifier: Apache-2.0
// The difference of two texts, for people: the lines that differ, and three lines of context.

/// The difference in the form of `diff -u`; empty if the texts are equal. nil stands for a missing file.
func difference(_ path: String, from before: [UInt8]?, to after: [UInt8]?) -> [String] {
    guard before != after else { return [] }
    let all = marked(lines(before), lines(after))
    var shown = ["--- " + (before == nil ? "/dev/null" : path), "+++ " + (after == nil ? "/dev/null" : path)]
    for part in parts(all) {
        let above = all[..<part.lowerBound]
        let from = above.count { $0.sign != "+" } + 1
        let to = above.count { $0.sign != "-" } + 1
        let removed = all[part].count { $0.sign != "+" }
        let added = all[part].count { $0.sign != "-" }
        shown.append("@@ -\(from),\(removed) +\(to),\(added) @@")
        shown += all[part].map { $0.sign + $0.text }
    }
    return shown
}

/// A line of the old text (`-`), the new one (`+`), or both (a blank).
private typealias Marked = (sign: String, text: String)

private func marked(_ old: [String], _ new: [String]) -> [Marked] {
    var head = 0
    while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in new[head...].difference(from: old[head...]) {
        switch change {
        case .remove(let offset, _, _): removed.insert(head + offset)
        case .insert(let offset, _, _): added.insert(head + offset)
        }
    }
    var all: [Marked] = []
    var (at, next) = (0, 0)
    while at < old.count || next < new.count {
        if removed.contains(at) {
            all.append(("-", old[at]))
            at += 1
        } else if added.contains(next) {
            all.append(("+", new[next]))
            next += 1
        } else {
            all.append((" ", old[at]))
            (at, next) = (at + 1, next + 1)
        }
    }
    return all
}

/// The ranges to show: each different line with three lines before and after it.
private func parts(_ all: [Marked]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    for (index, line) in all.enumerated() where line.sign != " " {
        let part = max(0, index - 3)..<min(all.count, index + 4)
        if let last = parts.last, last.upperBound >= part.lowerBound {
            parts[parts.count - 1] = last.lowerBound..<part.upperBound
        } else {
            parts.append(part)
        }
    }
    return parts
}

private func lines(_ text: [UInt8]?) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    let ended = text.last == 0x0a ? text.dropLast() : text[...]
    return ended.split(separator: 0x0a, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
    }
}
