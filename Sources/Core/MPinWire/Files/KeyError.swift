// SPDX-License-Identifier: Apache-2.0
// Checks of the keys of a section: each is known, not repeated, and present if it is required.
import Octets

/// What is wrong with a key in a file that follows the grammar.
package struct KeyError: Error, Equatable {
    /// The key is unknown, there twice, missing, or has an invalid value.
    package enum Problem: Equatable, Sendable { case unknown, repeated, missing, badValue }
    /// The line of the entry; for a missing key, that of its section.
    package let line: Int
    package let key: [UInt8]
    package let problem: Problem

    package init(line: Int, key: [UInt8], problem: Problem) {
        self.line = line
        self.key = key
        self.problem = problem
    }
}

extension Entry {
    /// Whether the entry has this key.
    package func `is`(_ key: StaticString) -> Bool { self.key.spells(key) }

    /// The error for an invalid value.
    package var badValue: KeyError { KeyError(line: line, key: key, problem: .badValue) }
}

extension Section {
    /// Throws `unknown` for the first key that is not one of these.
    package func allow(only keys: [StaticString]) throws(KeyError) {
        for entry in entries where !keys.contains(where: { entry.is($0) }) {
            throw KeyError(line: entry.line, key: entry.key, problem: .unknown)
        }
    }

    /// All entries of a key that may be repeated.
    package func all(_ key: StaticString) -> [Entry] { entries.filter { $0.is(key) } }

    /// The entry of a key that must not be repeated; nil if there is none. Throws `repeated`.
    package func one(_ key: StaticString) throws(KeyError) -> Entry? {
        let found = all(key)
        guard found.count <= 1 else {
            throw KeyError(line: found[1].line, key: found[1].key, problem: .repeated)
        }
        return found.first
    }

    /// The entry of a key that must be there exactly once. Throws `missing` or `repeated`.
    package func required(_ key: StaticString) throws(KeyError) -> Entry {
        guard let entry = try one(key) else {
            throw KeyError(line: line, key: key.withUTF8Buffer { unsafe [UInt8]($0) }, problem: .missing)
        }
        return entry
    }
}
