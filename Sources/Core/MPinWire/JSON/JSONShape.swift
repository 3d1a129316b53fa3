// SPDX-License-Identifier: Apache-2.0
// Measures the depth and the size of JSON before it is decoded.

/// The depth and size of JSON. For a value of unknown type, the decoder needs time that grows with the square
/// of the depth, so a few kilobytes of brackets would keep it busy for half a minute. For text that is not
/// JSON, the result is meaningless.
package struct JSONShape: Equatable, Sendable {
    /// How deeply lists and objects are nested.
    package private(set) var depth = 0
    /// An upper bound of the number of values.
    package private(set) var values = 1

    package init(_ octets: [UInt8]) {
        var level = 0
        var isText = false
        var isEscaped = false
        for octet in octets {
            if isText {
                isText = isEscaped || octet != UInt8(ascii: "\"")
                isEscaped = !isEscaped && octet == UInt8(ascii: "\\")
                continue
            }
            switch octet {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                level += 1
                values += 1
                depth = max(depth, level)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): level -= 1
            case UInt8(ascii: ","): values += 1
            default: break
            }
        }
    }

    /// The greatest depth that is accepted, deeper than any message or stored value of the protocol.
    package static let mostLevels = 16
}
