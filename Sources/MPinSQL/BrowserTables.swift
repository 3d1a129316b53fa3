// SPDX-License-Identifier: Apache-2.0
// What the fifth version of the database has more than the fourth.

/// Browsers' sessions, what a foreign RPA must know to confirm a registration, and the block that an unbound
/// mpinId comes to after too many wrong PINs in a row.
let browserTables = """
    CREATE TABLE browsers (
        wid TEXT PRIMARY KEY NOT NULL,
        number TEXT UNIQUE,
        account TEXT NOT NULL,
        source TEXT NOT NULL,
        web_ott BLOB UNIQUE NOT NULL,
        auth_ott BLOB UNIQUE NOT NULL,
        opened_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        state INTEGER NOT NULL,
        approved_by BLOB,
        approved_from TEXT,
        approved_at INTEGER,
        token BLOB UNIQUE,
        result INTEGER,
        logout_url TEXT,
        logout_data TEXT
    ) STRICT;
    CREATE INDEX browsers_by_source ON browsers (source, expires_at);
    CREATE INDEX browsers_by_life ON browsers (expires_at);
    CREATE INDEX browsers_by_approver ON browsers (approved_from);
    CREATE TABLE awaited (
        auth_ott BLOB PRIMARY KEY NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX awaited_by_life ON awaited (expires_at);
    ALTER TABLE registrations ADD COLUMN activate_key BLOB;
    ALTER TABLE mpins ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE mpins ADD COLUMN blocked_at INTEGER;
    """
