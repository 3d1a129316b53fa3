// SPDX-License-Identifier: Apache-2.0
// The tables of the passes, the counters and the nonces.

/// A row of `heads` counts wrong tries in a row from one source (`*`: against a second device, from
/// anywhere). A row of `tries` is one wrong try that counts towards the limits in 24 hours and in all.
let loginTables = """
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
    """
