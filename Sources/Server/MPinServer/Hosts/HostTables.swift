// SPDX-License-Identifier: Apache-2.0
// The tables of login hosts and their join codes.

let hostTables = """
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
    """
