// SPDX-License-Identifier: Apache-2.0
// The tables of a database. There are no migrations, because nothing has been released yet: a database of
// another version is refused.

/// The kind of database that a file holds, and its tables.
package struct Schema: Sendable {
    /// Written into the file's header, so that a database of the other kind or of another program is refused.
    let applicationID: Int64
    package let version: Int64
    /// The statements that make the tables, as SQLite reads them.
    let script: String
    /// Statements that only PostgreSQL gets.
    let tuning: String
    /// The tables that a copy leaves out, because their records live for minutes.
    let fleeting: Set<String>

    package init(
        applicationID: Int64, version: Int64, script: String, tuning: String = "",
        fleeting: Set<String> = []
    ) {
        (self.applicationID, self.version, self.script) = (applicationID, version, script)
        (self.tuning, self.fleeting) = (tuning, fleeting)
    }
}

extension SQLiteConnection {
    /// Makes or checks the schema, in one transaction.
    package func prepare(as schema: Schema) throws(StorageError) {
        try transaction(.durable) { _ throws(StorageError) in
            guard try !has(schema) else { return }
            try execute(schema.script)
            try execute("PRAGMA user_version = \(schema.version)")
            try execute("PRAGMA application_id = \(schema.applicationID)")
        }
    }

    /// Whether the tables of this schema are there. Throws `corrupt` for those of another kind, and
    /// `otherVersion`.
    package func has(_ schema: Schema) throws(StorageError) -> Bool {
        let version = try pragma("user_version")
        switch (try pragma("application_id"), version) {
        case (0, 0): return false
        case (schema.applicationID, schema.version): return true
        case (schema.applicationID, 0...): throw StorageError.otherVersion(version)
        default: throw StorageError.corrupt
        }
    }

    private func pragma(_ name: String) throws(StorageError) -> Int64 {
        guard var row = try run("PRAGMA \(name)", []).first else { throw .corrupt }
        return try row.integer()
    }
}
