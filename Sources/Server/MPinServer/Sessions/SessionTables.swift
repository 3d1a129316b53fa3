// SPDX-License-Identifier: Apache-2.0
// The tables of consoles' sessions, of reports and of look-ups.

/// A session loses its number when it is over, so that a new one can have it. A row of `session_devices` is a
/// device that the question of a login lists, and goes with the session. `lookups` has no key, because
/// two look-ups of one source at the same time are two rows. A row of `reports` says that the owner of a
/// device did not begin a login from that source (with its host).
let sessionTables = """
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
    CREATE TABLE session_devices (
        wid TEXT NOT NULL REFERENCES sessions (wid) ON DELETE CASCADE,
        id BLOB NOT NULL,
        source TEXT NOT NULL,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (wid, id)
    ) STRICT;
    CREATE INDEX session_devices_by_id ON session_devices (id, expires_at);
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
