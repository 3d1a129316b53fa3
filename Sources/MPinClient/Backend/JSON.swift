// SPDX-License-Identifier: Apache-2.0
// Any JSON: what is handed on, or kept, without being understood.
import FoundationEssentials
import MPinWire

typealias JSON = JSONValue

extension JSON {
    /// nil: not JSON, or deeper than any of ours.
    init?(_ octets: [UInt8]) {
        guard JSONShape(octets).depth <= JSONShape.mostLevels,
            let value = try? JSONDecoder().decode(JSON.self, from: Data(octets))
        else { return nil }
        self = value
    }

    /// nil for a number that JSON has no way to write.
    var octets: [UInt8]? { MPinClient.octets(of: self) }

    var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var whole: Int? { if case .whole(let value) = self { value } else { nil } }

    subscript(key: String) -> JSON? { object?[key] }
}

/// A message as it travels; nil where it cannot be written.
func octets(of message: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(message)).map { [UInt8]($0) }
}

/// nil: not what this type is written as.
func message<T: Decodable>(_ type: T.Type, _ octets: [UInt8]) -> T? {
    guard JSONShape(octets).depth <= JSONShape.mostLevels else { return nil }
    return try? JSONDecoder().decode(type, from: Data(octets))
}
