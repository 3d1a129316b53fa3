// SPDX-License-Identifier: Apache-2.0
// Recorded traffic of the Milagro server, and the shape by which its answers are compared with mpind's.
import FoundationEssentials
import TestSupport
import Testing

extension Exchange {
    /// The exchanges of a transcript that concern mpind: at the RPS, at the D-TAs, and the redemption.
    static func read(_ name: String) throws -> [Exchange] {
        try Transcript.load(name).filter {
            ["rps", "dta", "miracl-dta"].contains($0.edge) || $0.request.path == "/mpinAuthenticate"
        }
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
