// SPDX-License-Identifier: Apache-2.0
// The schema of the authority's book.
package import MPinDatabase

extension Schema {
    /// The book of an authority. The kind is "mPbk" in ASCII.
    package static let authorityBook = Schema(applicationID: 0x6d50_626b, version: 1, script: bookTables)
}

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
