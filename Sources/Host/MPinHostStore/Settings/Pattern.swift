// SPDX-License-Identifier: Apache-2.0
// Names with `*` and `?`, as `users` and `groups` of mpin.conf list them.
import MPinProof

/// A name with wildcards; `!` before it excludes.
package struct Pattern: Equatable, Sendable {
    package let text: [UInt8]
    package let isExclusion: Bool

    package init?(_ text: [UInt8]) {
        isExclusion = text.first == UInt8(ascii: "!")
        self.text = isExclusion ? [UInt8](text.dropFirst()) : text
        guard !self.text.isEmpty else { return nil }
    }

    package var hasWildcard: Bool { text.contains { $0 == 0x2a || $0 == 0x3f } }

    /// `*` stands for any octets, `?` for one. Takes at most the product of both lengths in steps.
    package func matches(_ name: [UInt8]) -> Bool {
        var pattern = 0
        var position = 0
        var star: (pattern: Int, position: Int)?
        while position < name.count {
            if pattern < text.count, text[pattern] == 0x2a {
                star = (pattern, position)
                pattern += 1
            } else if pattern < text.count, text[pattern] == 0x3f || text[pattern] == name[position] {
                pattern += 1
                position += 1
            } else if let last = star {
                star = (last.pattern, last.position + 1)
                pattern = last.pattern + 1
                position = last.position + 1
            } else {
                return false
            }
        }
        return text[pattern...].allSatisfy { $0 == 0x2a }
    }
}

/// An item of a list: it includes what it matches or, with `!` before it, excludes it.
package protocol Excluding {
    var isExclusion: Bool { get }
}

/// The items of a list, which blanks and tabs separate; an item, or a part of one, that has blanks stands in
/// double quotes. nil: a quote is not closed.
package func listItems(_ text: [UInt8]) -> [[UInt8]]? {
    var items: [[UInt8]] = []
    var isQuoted = false
    var isWithin = false
    for octet in text {
        let isBlank = !isQuoted && (octet == 0x20 || octet == 0x09)
        if !isBlank, !isWithin { items.append([]) }
        isWithin = !isBlank
        if octet == 0x22 { isQuoted.toggle() } else if !isBlank { items[items.count - 1].append(octet) }
    }
    return isQuoted ? nil : items
}

extension Pattern: Excluding {}
extension Network: Excluding {}

/// Whether a list admits: no exclusion matches, and an inclusion matches or the list has no inclusions. An
/// empty list admits everybody.
/// - Parameter hits: whether an item matches, without regard to its `!`.
package func admits<P: Excluding>(_ list: [P], hits: (P) -> Bool) -> Bool {
    if list.contains(where: { $0.isExclusion && hits($0) }) { return false }
    let inclusions = list.filter { !$0.isExclusion }
    return inclusions.isEmpty || inclusions.contains(where: hits)
}
