// SPDX-License-Identifier: Apache-2.0
// What others wrote, made fit for a terminal: it cannot move the cursor, turn the line round or hide a part.

/// At most `limit` octets, each outside 20-7E replaced by `?`.
package func presentable(_ text: [UInt8], limit: Int = 64) -> [UInt8] {
    text.prefix(limit).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
}

#if !hasFeature(Embedded)
    /// One line that reads in the order of its signs: at most `limit` octets, and a question mark for each
    /// sign that nobody sees.
    package func presentable(_ text: String, limit: Int = 300) -> String {
        var shown = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= limit else { break }
            shown.append(isPresentable(scalar) ? scalar : "?")
        }
        return String(shown)
    }

    /// Whether a sign is one to be seen: no control, no mark of direction, no line break, nothing that
    /// Unicode has not assigned.
    package func isPresentable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            false
        default: true
        }
    }
#endif
