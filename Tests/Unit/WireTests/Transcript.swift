// SPDX-License-Identifier: Apache-2.0
// Recorded exchanges of Tests/Conformance/Transcripts, and JSON for comparisons.
import Foundation
import TestSupport

extension Exchange {
    /// Edge, method and path, without the query and without long hexadecimal parts such as an identity.
    var name: String {
        let path = request.path.prefix { $0 != "?" }
        let parts = path.split(separator: "/").filter { part in
            part.count < 32 || !part.allSatisfy(\.isHexDigit)
        }
        return "\(edge) \(request.method) /" + parts.joined(separator: "/")
    }

    /// The exchanges of every file that is not compressed, in the order of the names.
    static func all() throws -> [Exchange] {
        let files = try FileManager.default.contentsOfDirectory(atPath: transcriptFolder.path)
        return try files.filter { $0.hasSuffix(".jsonl") }.sorted().flatMap {
            try Transcript.load(String($0.dropLast(".jsonl".count)))
        }
    }
}

/// Any JSON value, for comparisons.
enum JSON: Codable, Equatable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(_ text: String) throws { self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .flag(value)
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
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
