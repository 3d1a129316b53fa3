// SPDX-License-Identifier: Apache-2.0
// MPinDatabase: transactions in SQLite or PostgreSQL. It knows no login and has no table of its own.
//
// `Database` runs transactions: `Transaction` executes a statement and gives each `Row`. `Engine` has what
// both databases share, `SQLite` a writer that commits many transactions at once, `Postgres` connections by
// libpq with a pool. A `Schema` is handed in: the tables and their version. `DatabaseCopy` copies all rows
// from one database into another.
//
// A transaction that counts and then inserts takes a `SerialKey` first: SQLite has one writer, PostgreSQL
// many (docs/postgresql.md, section 3).
