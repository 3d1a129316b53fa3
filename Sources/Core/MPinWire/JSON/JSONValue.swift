// SPDX-License-Identifier: Apache-2.0
// Any JSON value, for values that we pass on without interpreting them.
#if !hasFeature(Embedded)

    /// Any JSON value (RFC 8259).
    package enum JSONValue: Codable, Equatable, Sendable {
        case null
        case flag(Bool)
        case whole(Int)
        case number(Double)
        case text(String)
        case list([JSONValue])
        case object([String: JSONValue])

        package init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let whole = try? value.decode(Int.self) {
                self = .whole(whole)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([JSONValue].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: JSONValue].self))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .flag(let flag): try container.encode(flag)
            case .whole(let whole): try container.encode(whole)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            case .object(let object): try container.encode(object)
            }
        }
    }
#endif
