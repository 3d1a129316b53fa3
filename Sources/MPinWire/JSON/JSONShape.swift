// SPDX-License-Identifier: Apache-2.0
// How deep and how large JSON is, before it is decoded.

/// A decoder spends time by the square of the depth on each value whose type it has to find out: a few
/// kilobytes of brackets would keep it busy for half a minute. Of what is no JSON this says anything.
package struct JSONShape: Equatable, Sendable {
    /// Of lists and objects in each other.
    package private(set) var depth = 0
    /// No fewer than there are.
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

    /// Deeper than any message or storage of the protocol.
    package static let mostLevels = 16
}
