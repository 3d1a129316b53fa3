// SPDX-License-Identifier: Apache-2.0
// Recorded traffic of the Milagro server, and the shape by which its answers are compared with mpind's.
import FoundationEssentials
import TestSupport
import Testing

/// One exchange as it was recorded at one edge.
struct Exchange: Decodable, Sendable {
    struct Request: Decodable, Sendable {
        let method: String
        let path: String
        let body: String
    }
    struct Response: Decodable, Sendable {
        let status: Int
        let body: String
    }
    let seq: Int
    /// Seconds since 1970-01-01 UTC.
    let t: Double
    let edge: String
    let request: Request
    let response: Response

    /// The exchanges of a transcript that concern mpind: at the RPS, at the D-TAs, and the redemption.
    static func read(_ name: String) throws -> [Exchange] {
        try all(name).filter {
            ["rps", "dta", "miracl-dta"].contains($0.edge) || $0.request.path == "/mpinAuthenticate"
        }
    }

    /// All exchanges of a transcript, also those with the RPA.
    static func all(_ name: String) throws -> [Exchange] {
        let file = transcriptFolder.appending(path: name + ".jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let all = try lines.map { try JSONDecoder().decode(Exchange.self, from: Data($0.utf8)) }
        return all.sorted { $0.seq < $1.seq }
    }

    /// The JSON object of the answer, or nil for any other body.
    var answered: [String: JSON]? { try? object([UInt8](response.body.utf8)) }
    /// The JSON object of the question.
    var asked: [String: JSON]? { try? object([UInt8](request.body.utf8)) }
}

/// What an answer looks like: its status, and the keys and types of its JSON object.
struct Shape: Equatable, CustomStringConvertible {
    let status: Int
    let fields: [String: String]

    init(_ status: Int, _ object: [String: JSON]?) {
        self.status = status
        self.fields = (object ?? [:]).mapValues(\.type)
    }

    var description: String {
        "\(status) {" + fields.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", ") + "}"
    }
}
