// SPDX-License-Identifier: Apache-2.0
// Helpers that run the commands of this build.
import Foundation
import TestSupport
import Testing

/// Runs a command of this build; `output` has only its standard output.
func command(_ words: String...) throws -> Ending { try command(words) }
func command(_ words: [String]) throws -> Ending {
    try run(built(words[0]), Array(words.dropFirst()))
}

/// What a command prints on both outputs.
func words(_ command: [String]) throws -> String {
    try run(built(command[0]), Array(command.dropFirst()), withErrors: true).output
}

let programs = ["mpin", "mpind"]

extension Ending {
    /// Whether it ended by itself, with this status, and printed nothing.
    func isSilent(status: CInt) -> Bool { output.isEmpty && self.status == status && signal == nil }
}

/// The one JSON object that a command prints.
func object(_ ending: Ending) throws -> [String: Any] {
    let lines = ending.output.split(separator: "\n")
    try #require(lines.count == 1, "\(ending.output)")
    return try #require(JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
}

func objects(_ value: Any?) throws -> [[String: Any]] { try #require(value as? [[String: Any]]) }
