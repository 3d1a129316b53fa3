// SPDX-License-Identifier: Apache-2.0
// The table that tells whether the database was closed in order.

/// It has a row while the database is closed, if it was closed in order.
let closingTables = """
    CREATE TABLE closings (
        at INTEGER NOT NULL
    ) STRICT;
    """
