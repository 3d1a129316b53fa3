// SPDX-License-Identifier: Apache-2.0
// The authority's book, in a database of its own: the server cannot open it.
package import MPinDatabase
import Octets

/// The book is kept apart from the server's database, in one that only the authority opens. Its entries are
/// permanent. A `hash` is the SHA-256 of an mpinId (32 octets).
package struct AuthorityBook: Sendable {
    private let database: Database

    /// Opens the book, or makes it if it does not exist. Throws `otherVersion` for a book of another schema.
    package init(sqlite location: SQLiteLocation) throws(StorageError) {
        database = try Database(sqlite: location, as: .authorityBook)
    }

    /// The same in PostgreSQL: one book for the authorities of all replicas.
    package init(postgres place: PostgresPlace) throws(PostgresFailure) {
        database = try Database(postgres: place, as: .authorityBook)
    }

    /// Closes the database after the operations under way; later operations throw `closed`.
    package func close() async { await database.close() }

    /// Records that the authority (1 or 2) issues its share for `hash`. Returns true the first time only,
    /// across replicas and restarts, and never for a revoked hash. The share may be computed only after that.
    func issueOnce(authority: UInt8, hash: IdentityHash) async throws(StorageError) -> Bool {
        try await database.transaction(.durable) { t throws(StorageError) in
            try t.row(
                """
                INSERT INTO issued (authority, hash, at)
                SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM revoked WHERE hash = $2)
                ON CONFLICT (authority, hash) DO NOTHING RETURNING at
                """, [.integer(Int64(authority)), .octets(hash), .integer(t.now)]) != nil
        }
    }

    /// Whether this authority may issue a permit for `hash`.
    func standing(authority: UInt8, hash: IdentityHash) async throws(StorageError) -> IssueState {
        try await database.transaction(.read) { t throws(StorageError) in
            if try t.row("SELECT 1 FROM revoked WHERE hash = $1", [.octets(hash)]) != nil {
                return .revoked
            }
            let issued = try t.row(
                "SELECT 1 FROM issued WHERE authority = $1 AND hash = $2",
                [.integer(Int64(authority)), .octets(hash)])
            return issued == nil ? .unknown : .issued
        }
    }

    /// Forbids shares and permits for `hash` from now on, whether the hash is known or not.
    func revoke(hash: IdentityHash) async throws(StorageError) {
        try await database.transaction(.durable) { t throws(StorageError) in
            try t.run(
                "INSERT INTO revoked (hash, at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING",
                [.octets(hash), .integer(t.now)])
        }
    }
}
