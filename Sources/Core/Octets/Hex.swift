// SPDX-License-Identifier: Apache-2.0
// Octets as hexadecimal digits, and back.

/// Lower-case hexadecimal digits (ASCII), two for each octet.
package func hex(_ octets: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(octets.count * 2)
    for octet in octets {
        text.append(hexDigit(octet >> 4))
        text.append(hexDigit(octet & 15))
    }
    return text
}

/// Upper-case hexadecimal digits (ASCII) with a colon between two octets, as OpenSSL writes fingerprints.
package func colonHex(_ octets: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for octet in octets {
        if !text.isEmpty { text.append(UInt8(ascii: ":")) }
        text += upperHex(octet)
    }
    return text
}

/// Two upper-case hexadecimal digits (ASCII).
func upperHex(_ octet: UInt8) -> [UInt8] { hex([octet]).map { $0 >= 0x61 ? $0 - 0x20 : $0 } }

/// The octets that hexadecimal digits of either case stand for; nil if their number is odd or a character is
/// not such a digit.
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

/// The value of one hexadecimal digit of either case (ASCII); nil for any other character.
package func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
}

/// The lower-case digit (ASCII) of a value of 0 to 15. It is computed by one comparison, without a table,
/// because secrets are written with it too.
package func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }
