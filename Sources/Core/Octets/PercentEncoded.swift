// SPDX-License-Identifier: Apache-2.0
// Text in URLs: percent-encoding (RFC 3986), and the test for a path.

/// The octets encoded for a query: each as `%XX`, except the unreserved characters of RFC 3986.
package func percentEncoded(_ octets: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = []
    for octet in octets {
        switch octet {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: encoded.append(octet)
        default:
            encoded.append(UInt8(ascii: "%"))
            encoded += upperHex(octet)
        }
    }
    return encoded
}

/// The octets that percent-encoded text stands for; nil if the encoding is malformed or an octet is NUL.
package func percentDecoded(_ encoded: [UInt8], plusIsSpace: Bool) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(encoded.count)
    var index = 0
    while index < encoded.count {
        var octet = encoded[index]
        if octet == 0x25 {
            guard index + 2 < encoded.count, let high = nibble(encoded[index + 1]),
                let low = nibble(encoded[index + 2])
            else { return nil }
            octet = high << 4 | low
            index += 2
        } else if octet == 0x2b, plusIsSpace {
            octet = 0x20
        }
        guard octet != 0 else { return nil }
        decoded.append(octet)
        index += 1
    }
    return decoded
}

/// Whether text may follow an origin in a URL: a slash, then visible ASCII characters except `#` and `\`.
package func isPath(_ text: [UInt8]) -> Bool {
    text.first == 0x2f && text.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x23 && $0 != 0x5c }
}
