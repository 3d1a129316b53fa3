// SPDX-License-Identifier: Apache-2.0
// Two texts as people compare them: the lines that differ, with a few around them.

/// As `diff -u` shows it; nothing for texts that are the same. One part that differs is all that setup makes.
package func difference(_ path: String, _ before: [UInt8]?, _ after: [UInt8]?) -> [String] {
    let old = lines(before)
    let new = lines(after)
    guard before != after else { return [] }
    var head = 0
    while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
        tail += 1
    }
    var shown = ["--- " + (before == nil ? "/dev/null" : path), "+++ " + (after == nil ? "/dev/null" : path)]
    let above = max(0, head - 3)
    let below = min(3, tail)
    let removed = old.count - tail - above + below
    let added = new.count - tail - above + below
    shown.append("@@ -\(above + 1),\(removed) +\(above + 1),\(added) @@")
    shown += old[above..<head].map { " " + $0 }
    shown += old[head..<(old.count - tail)].map { "-" + $0 }
    shown += new[head..<(new.count - tail)].map { "+" + $0 }
    shown += old[(old.count - tail)...].prefix(below).map { " " + $0 }
    return shown
}

private func lines(_ text: [UInt8]?) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    let ended = text.last == 0x0a ? text.dropLast() : text[...]
    return ended.split(separator: 0x0a, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
    }
}
