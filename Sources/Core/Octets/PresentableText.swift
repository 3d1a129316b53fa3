// SPDX-License-Identifier: Apache-2.0
// Makes foreign text safe to show on a terminal: it cannot move the cursor, reverse the line or hide a part.

/// At most `limit` octets of the text, with `?` for each octet outside 20-7E.
package func presentable(_ text: [UInt8], limit: Int = 64) -> [UInt8] {
    text.prefix(limit).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
}

#if !hasFeature(Embedded)
    /// At most `limit` octets (UTF-8) of the text as one line, with a question mark for each character that
    /// is invisible or changes the order of others.
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

    /// Whether a character is visible or the space U+0020. Not visible are control characters, what Unicode
    /// calls a format (direction marks, joiners), a separator or ignorable by default (fillers, variation
    /// selectors), what is private or unassigned, and the blank letters that Unicode calls visible.
    package func isPresentable(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar != " " else { return true }
        guard !scalar.properties.isDefaultIgnorableCodePoint, !blankLetters.contains(scalar) else {
            return false
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .spaceSeparator, .surrogate,
            .unassigned:
            return false
        default: return true
        }
    }

    /// U+2800 is braille without a dot, U+16FE4 and U+1D159 have no ink either.
    private let blankLetters: Set<Unicode.Scalar> = ["\u{2800}", "\u{16FE4}", "\u{1D159}"]
#endif
