// SPDX-License-Identifier: Apache-2.0
// The tables of applications.

/// Removing an application also removes its redirect URIs, sessions and codes.
let applicationTables = """
    CREATE TABLE applications (
        client_id TEXT PRIMARY KEY NOT NULL,
        name TEXT UNIQUE NOT NULL,
        added_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE redirect_uris (
        client_id TEXT NOT NULL REFERENCES applications (client_id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        uri TEXT NOT NULL,
        PRIMARY KEY (client_id, place)
    ) STRICT;
    CREATE TABLE application_sessions (
        wid TEXT PRIMARY KEY NOT NULL,
        client_id TEXT NOT NULL REFERENCES applications (client_id) ON DELETE CASCADE,
        redirect_uri TEXT NOT NULL,
        source TEXT NOT NULL,
        network TEXT NOT NULL,
        network40 TEXT NOT NULL,
        network32 TEXT NOT NULL,
        scanned INTEGER NOT NULL,
        opened_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX application_sessions_places
        ON application_sessions (client_id, network32, network40, network, source, scanned);
    CREATE INDEX application_sessions_places_by_life ON application_sessions (client_id, expires_at);
    CREATE INDEX application_sessions_by_life ON application_sessions (expires_at);
    CREATE TABLE authorization_codes (
        hash BLOB PRIMARY KEY NOT NULL,
        client_id TEXT NOT NULL REFERENCES applications (client_id) ON DELETE CASCADE,
        redirect_uri TEXT NOT NULL,
        id BLOB NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX authorization_codes_by_application ON authorization_codes (client_id);
    CREATE INDEX authorization_codes_by_life ON authorization_codes (expires_at);
    """
