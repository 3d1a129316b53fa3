// SPDX-License-Identifier: Apache-2.0
// Octets as hexadecimal text, and the test for UTF-8: what frames, files and messages have in common.

/// Lower-case hexadecimal digits (ASCII), two for each octet.
package func hex(_ octets: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(octets.count * 2)
    for octet in octets {
        text.append(digit(octet >> 4))
        text.append(digit(octet & 15))
    }
    return text
}

/// The octets that hexadecimal digits of either case stand for; nil for an odd number of digits or any other
/// sign.
package func octets(fromHex text: [UInt8]) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count / 2)
    for index in stride(from: 0, to: text.count, by: 2) {
        guard let high = nibble(text[index]), let low = nibble(text[index + 1]) else { return nil }
        octets.append(high << 4 | low)
    }
    return octets
}

extension [UInt8] {
    /// Whether these are the octets of a word of ours. A `String` would do, but its views bring 7 KB of the
    /// standard library into the module, for strings that came in UTF-16.
    package func spells(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { unsafe elementsEqual($0) }
    }
}

/// The value of one hexadecimal digit of either case (ASCII).
package func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
}

private func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

/// Whether the octets are UTF-8 without control signs: fit to be a text field of a frame.
package func isPlainText(_ octets: [UInt8]) -> Bool {
    octets.allSatisfy { $0 >= 0x20 && $0 != 0x7f } && isUTF8(octets.span)
}

/// Whether the octets are well-formed UTF-8 (Unicode, table 3-7).
func isUTF8(_ octets: Span<UInt8>) -> Bool {
    do {
        _ = try UTF8Span(validating: octets)
        return true
    } catch {
        return false
    }
}
