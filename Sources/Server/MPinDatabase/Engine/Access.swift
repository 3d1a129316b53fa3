// SPDX-License-Identifier: Apache-2.0
// The kinds of transactions.

/// What a transaction does, and what its commit waits for; a greater one waits for more.
package enum Access: CaseIterable, Comparable, Sendable {
    /// Changes nothing, and sees the database as it was at one moment.
    case read
    /// Writes; the commit survives the death of the process. For records that live for seconds, and for those
    /// whose loss lets nobody in.
    case brief
    /// Uses up or counts what a SQLite database voids when it is opened after a loss of power: there as brief
    /// as `brief`. PostgreSQL voids nothing, so there the commit waits for the disk.
    case voidable
    /// Writes; the commit waits for the disk and survives a loss of power.
    case durable
}
