// SPDX-License-Identifier: Apache-2.0
// Helpers that several suites need.
import FoundationEssentials
import Glibc
@testable import MPinDatabase
@testable import MPinServer
import Testing

/// The results of `count` runs at the same time.
func together<R: Sendable>(_ count: Int, _ body: @escaping @Sendable () async -> R) async -> [R] {
    await withTaskGroup(of: R.self) { group in
        for _ in 0..<count { group.addTask { await body() } }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

/// The keys of a JSON object, sorted.
func keys(_ response: Response) throws -> [String] { try object(response.body).keys.sorted() }

/// A JSON object; anything else is an error.
func object(_ body: [UInt8]) throws -> [String: JSON] {
    guard case .object(let object) = try JSONDecoder().decode(JSON.self, from: Data(body)) else {
        throw NotAnObject()
    }
    return object
}

struct NotAnObject: Error {}

/// Any JSON value.
enum JSON: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    /// The text of a string.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The name of its type.
    var type: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

/// Opens the authority's book of a closed server again.
func reopenedBook(_ folder: String) throws -> AuthorityBook {
    try AuthorityBook(sqlite: .file(folder + "/book.db"))
}
