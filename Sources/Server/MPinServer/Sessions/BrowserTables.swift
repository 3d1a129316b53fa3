// SPDX-License-Identifier: Apache-2.0
// The tables of browsers' sessions.

/// A row of `awaited` is a redeemed ticket (authOTT) whose result an RPA will report.
let browserTables = """
    CREATE TABLE browsers (
        wid TEXT PRIMARY KEY NOT NULL,
        number TEXT UNIQUE,
        account TEXT NOT NULL,
        source TEXT NOT NULL,
        network TEXT NOT NULL,
        network40 TEXT NOT NULL,
        network32 TEXT NOT NULL,
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
    CREATE INDEX browsers_by_life ON browsers (expires_at);
    CREATE INDEX browsers_places ON browsers (network32, network40, network, source, state) WHERE state < 3;
    CREATE INDEX browsers_places_by_life ON browsers (expires_at) WHERE state < 3;
    CREATE INDEX browsers_by_approver ON browsers (approved_from);
    CREATE TABLE awaited (
        auth_ott BLOB PRIMARY KEY NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX awaited_by_life ON awaited (expires_at);
    """
