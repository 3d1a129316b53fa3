// SPDX-License-Identifier: Apache-2.0
// The tables, as SQLite makes them. There are no migrations, because nothing has been released yet: a
// database of another version is refused.
package import MPinStorage

/// The kind of database that a file holds, and its tables.
package struct Schema: Sendable {
    /// Written into the file's header, so that a database of the other kind or of another program is refused.
    let applicationID: Int64
    let version: Int64
    let script: String

    /// The database of mpind. The kinds are "mPin" and "mPbk" in ASCII.
    package static let storage = Schema(
        applicationID: 0x6d50_696e, version: 20,
        script: registrationTables + loginTables + sessionTables + oneTimePasswordTables + applicationTables
            + browserTables)
    /// The book of an authority.
    package static let authorityBook = Schema(applicationID: 0x6d50_626b, version: 1, script: bookTables)
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

/// A row of `heads` counts wrong tries in a row from one source (`*`: against a second device, from
/// anywhere). A row of `tries` is one wrong try that counts towards the limits in 24 hours and in all.
/// `closings` has a row while the database is closed, if it was closed in order. Hosts, their join codes and
/// the audit trail are here too.
private let loginTables = """
    CREATE TABLE heads (
        id BLOB NOT NULL,
        source TEXT NOT NULL,
        known INTEGER NOT NULL,
        number INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        locked_until INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (id, source)
    ) STRICT;
    CREATE INDEX heads_by_time ON heads (last_at);
    CREATE INDEX heads_of_unknown ON heads (source, last_at) WHERE known = 0;
    CREATE INDEX heads_by_number ON heads (number) WHERE known = 0;
    CREATE TABLE tries (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id BLOB NOT NULL,
        counter INTEGER NOT NULL,
        origin TEXT NOT NULL,
        at INTEGER NOT NULL,
        returned_at INTEGER
    ) STRICT;
    CREATE INDEX tries_by_counter ON tries (id, counter, at);
    CREATE INDEX tries_by_return ON tries (returned_at) WHERE returned_at IS NOT NULL;
    CREATE INDEX tries_of_strangers ON tries (at) WHERE counter > 1 AND returned_at IS NULL;
    CREATE TABLE known_sources (
        id BLOB NOT NULL,
        source TEXT NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (id, source)
    ) STRICT;
    CREATE INDEX known_sources_by_time ON known_sources (last_at);
    CREATE TABLE pass_ones (
        id BLOB NOT NULL,
        slot BLOB NOT NULL,
        source TEXT NOT NULL,
        u BLOB NOT NULL,
        ut BLOB NOT NULL,
        y BLOB NOT NULL,
        binding INTEGER NOT NULL,
        bound_to BLOB NOT NULL,
        host TEXT,
        host_epoch INTEGER,
        origin TEXT NOT NULL,
        learns INTEGER NOT NULL,
        trusted INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (id, slot)
    ) STRICT;
    CREATE INDEX pass_ones_by_source ON pass_ones (source, trusted, expires_at);
    CREATE INDEX pass_ones_by_life ON pass_ones (expires_at);
    CREATE TABLE verdicts (
        auth_ott BLOB PRIMARY KEY NOT NULL,
        id BLOB NOT NULL,
        source TEXT NOT NULL,
        result INTEGER NOT NULL,
        purpose INTEGER NOT NULL,
        purpose_of BLOB NOT NULL,
        host TEXT,
        host_epoch INTEGER,
        otp BLOB,
        client_id TEXT,
        origin TEXT NOT NULL,
        learns INTEGER NOT NULL,
        counting INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX verdicts_by_life ON verdicts (expires_at);
    CREATE TABLE nonces (
        nonce BLOB PRIMARY KEY NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX nonces_by_life ON nonces (expires_at);
    CREATE TABLE forgotten_nonces (
        one INTEGER PRIMARY KEY NOT NULL,
        greatest BLOB NOT NULL
    ) STRICT;
    CREATE TABLE hosts (
        name TEXT PRIMARY KEY NOT NULL,
        epoch INTEGER NOT NULL,
        sealed_key BLOB NOT NULL,
        added_at INTEGER NOT NULL,
        removed_at INTEGER
    ) STRICT;
    CREATE TABLE former_epochs (
        host TEXT NOT NULL REFERENCES hosts (name),
        epoch INTEGER NOT NULL,
        sealed_key BLOB NOT NULL,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (host, epoch)
    ) STRICT;
    CREATE INDEX former_epochs_by_life ON former_epochs (expires_at);
    CREATE TABLE joins (
        host TEXT PRIMARY KEY NOT NULL REFERENCES hosts (name),
        join_id BLOB NOT NULL,
        sealed_key BLOB NOT NULL,
        epoch INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX joins_by_life ON joins (expires_at);
    CREATE TABLE closings (
        at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE audit (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        host TEXT NOT NULL,
        source TEXT NOT NULL,
        attempt TEXT NOT NULL,
        retention INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX audit_by_retention ON audit (retention, host, subject, number);
    CREATE INDEX audit_wrong_codes ON audit (retention, number) WHERE retention = 2;
    CREATE TABLE audit_fields (
        number INTEGER NOT NULL REFERENCES audit (number) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (number, place)
    ) STRICT;
    """

/// A session loses its number when it is over, so that a new one can have it. `lookups` has no key, because
/// two look-ups of one source at the same time are two rows. A row of `reports` says that the owner of a
/// device did not begin a login from that source (with its host).
private let sessionTables = """
    CREATE TABLE sessions (
        wid TEXT PRIMARY KEY NOT NULL,
        number TEXT UNIQUE,
        host TEXT NOT NULL,
        host_epoch INTEGER NOT NULL,
        a BLOB UNIQUE NOT NULL,
        ask BLOB NOT NULL,
        opened_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        state INTEGER NOT NULL,
        source TEXT NOT NULL,
        network TEXT NOT NULL,
        network40 TEXT NOT NULL,
        network32 TEXT NOT NULL,
        scanned INTEGER NOT NULL,
        approved_by BLOB,
        approved_from TEXT,
        token BLOB UNIQUE
    ) STRICT;
    CREATE INDEX sessions_places ON sessions (host, network32, network40, network, source, scanned)
        WHERE state = 0;
    CREATE INDEX sessions_places_by_life ON sessions (host, expires_at) WHERE state = 0;
    CREATE INDEX sessions_by_life ON sessions (expires_at);
    CREATE INDEX sessions_by_approver ON sessions (approved_from);
    CREATE TABLE reports (
        id BLOB NOT NULL,
        source TEXT NOT NULL,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (id, source)
    ) STRICT;
    CREATE INDEX reports_by_life ON reports (expires_at);
    CREATE TABLE lookups (
        source TEXT NOT NULL,
        network TEXT NOT NULL,
        wrong INTEGER NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX lookups_by_source ON lookups (source, at);
    CREATE INDEX lookups_by_network ON lookups (network, at) WHERE wrong = 1;
    CREATE INDEX lookups_by_time ON lookups (at);
    """

private let bookTables = """
    CREATE TABLE issued (
        authority INTEGER NOT NULL,
        hash BLOB NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (authority, hash)
    ) STRICT;
    CREATE TABLE revoked (
        hash BLOB PRIMARY KEY NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    """
