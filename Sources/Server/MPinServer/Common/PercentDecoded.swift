// SPDX-License-Identifier: Apache-2.0
// Percent-encoded (RFC 3986) and hexadecimal text, as strings.
import Octets

/// Decodes percent-encoded text; nil if it is malformed, contains NUL, or is not UTF-8.
func percentDecoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    percentDecoded([UInt8](text.utf8), plusIsSpace: plusIsSpace).flatMap {
        String(validating: $0, as: UTF8.self)
    }
}

/// Encodes text for a query: every octet but the unreserved ones of RFC 3986 becomes `%XX`.
func percentEncoded(_ text: String) -> String {
    String(decoding: percentEncoded([UInt8](text.utf8)), as: UTF8.self)
}

/// Decodes hexadecimal text of either case; nil for any other text.
package func octets(_ text: String) -> [UInt8]? { octets(fromHex: [UInt8](text.utf8)) }
