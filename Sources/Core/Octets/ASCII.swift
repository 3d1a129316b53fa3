// SPDX-License-Identifier: Apache-2.0
// Functions for text as octets: ASCII constants, words of a line, the test for UTF-8.

/// The octets of a constant ASCII text.
package func ascii(_ text: StaticString) -> [UInt8] {
    text.withUTF8Buffer { unsafe [UInt8]($0) }
}

/// The text with `A` to `Z` in lower case; other octets stay as they are.
package func lowered(_ text: [UInt8]) -> [UInt8] { text.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 } }

/// The words of a line, which blanks and tabs separate.
package func words(_ text: [UInt8]) -> [[UInt8]] {
    text.split { $0 == 0x20 || $0 == 0x09 }.map { [UInt8]($0) }
}

extension [UInt8] {
    /// Whether these are the octets of a constant text. A `String` would add 7 KB of the standard library to
    /// the module, for strings in UTF-16.
    package func spells(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { unsafe elementsEqual($0) }
    }

    /// The octets after `prefix`; nil if they do not begin with it.
    package func dropping(_ prefix: StaticString) -> [UInt8]? {
        let prefix = ascii(prefix)
        return starts(with: prefix) ? [UInt8](dropFirst(prefix.count)) : nil
    }
}

/// Whether the octets are UTF-8 without ASCII control characters, as a text field of a frame must be.
package func isPlainText(_ octets: [UInt8]) -> Bool {
    octets.allSatisfy { $0 >= 0x20 && $0 != 0x7f } && isUTF8(octets.span)
}

/// Whether the octets are well-formed UTF-8 (Unicode, table 3-7).
package func isUTF8(_ octets: Span<UInt8>) -> Bool {
    do {
        _ = try UTF8Span(validating: octets)
        return true
    } catch {
        return false
    }
}
