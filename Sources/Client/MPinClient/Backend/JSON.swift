// SPDX-License-Identifier: Apache-2.0
// Any JSON value, which can be passed on or kept without being understood.
import FoundationEssentials
import MPinWire

typealias JSON = JSONValue

extension JSON {
    /// nil if the octets are not JSON, or nested more deeply than any message.
    init?(_ octets: [UInt8]) {
        guard JSONShape(octets).depth <= JSONShape.mostLevels,
            let value = try? JSONDecoder().decode(JSON.self, from: Data(octets))
        else { return nil }
        self = value
    }

    /// The value as JSON; nil if it has a number that JSON cannot represent.
    var octets: [UInt8]? { MPinClient.octets(of: self) }

    var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var whole: Int? { if case .whole(let value) = self { value } else { nil } }

    subscript(key: String) -> JSON? { object?[key] }
}

/// Encodes a message as JSON; nil if that is impossible.
func octets(of message: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(message)).map { [UInt8]($0) }
}

/// Decodes a message from JSON; nil if it is not of this type.
func message<T: Decodable>(_ type: T.Type, _ octets: [UInt8]) -> T? {
    guard JSONShape(octets).depth <= JSONShape.mostLevels else { return nil }
    return try? JSONDecoder().decode(type, from: Data(octets))
}
