// SPDX-License-Identifier: Apache-2.0
// The tables of the audit trail.

let auditTables = """
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
