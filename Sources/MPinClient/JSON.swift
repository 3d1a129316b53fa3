// SPDX-License-Identifier: Apache-2.0
// Any JSON: what is handed on, or kept, without being understood.
import FoundationEssentials

enum JSON: Codable, Equatable, Sendable {
    case null
    case flag(Bool)
    case whole(Int64)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .flag(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .whole(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let value): try container.encode(value)
        case .whole(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// nil: not JSON.
    init?(_ octets: [UInt8]) {
        guard let value = try? JSONDecoder().decode(JSON.self, from: Data(octets)) else { return nil }
        self = value
    }

    /// nil for a number that JSON has no way to write.
    var octets: [UInt8]? { MPinClient.octets(of: self) }

    var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var whole: Int64? { if case .whole(let value) = self { value } else { nil } }

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
    try? JSONDecoder().decode(type, from: Data(octets))
}
