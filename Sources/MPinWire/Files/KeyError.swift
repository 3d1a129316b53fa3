// SPDX-License-Identifier: Apache-2.0
// The keys of a section, for the readers of settings and stores: known, once, and not missing.
import Octets

/// What is wrong with a key that the grammar let pass.
package struct KeyError: Error, Equatable {
    /// A key that no reader knows, that stands twice or not at all, or whose value its reader cannot take.
    package enum Problem: Equatable, Sendable { case unknown, repeated, missing, badValue }
    /// Of the entry; for a missing key, of its section.
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

    /// The error for a value that its reader cannot take.
    package var badValue: KeyError { KeyError(line: line, key: key, problem: .badValue) }
}

extension Section {
    /// Refuses the first key that is not among these.
    package func allow(only keys: [StaticString]) throws(KeyError) {
        for entry in entries where !keys.contains(where: { entry.is($0) }) {
            throw KeyError(line: entry.line, key: entry.key, problem: .unknown)
        }
    }

    /// Every entry of a key that may repeat.
    package func all(_ key: StaticString) -> [Entry] { entries.filter { $0.is(key) } }

    /// The entry of a key that may not repeat; nil without one.
    package func one(_ key: StaticString) throws(KeyError) -> Entry? {
        let found = all(key)
        guard found.count <= 1 else {
            throw KeyError(line: found[1].line, key: found[1].key, problem: .repeated)
        }
        return found.first
    }

    /// The entry of a key that must be there once.
    package func required(_ key: StaticString) throws(KeyError) -> Entry {
        guard let entry = try one(key) else {
            throw KeyError(line: line, key: key.withUTF8Buffer { unsafe [UInt8]($0) }, problem: .missing)
        }
        return entry
    }
}
