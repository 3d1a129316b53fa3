// SPDX-License-Identifier: Apache-2.0
// The tables of the authority's book.

let bookTables = """
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
