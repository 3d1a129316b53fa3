// SPDX-License-Identifier: Apache-2.0
// What can go wrong beneath the storage protocols; whoever gets one of these refuses what was asked.

package enum StorageError: Error, Equatable, Sendable {
    /// No room on the disk, or the file is at its limit.
    case full
    /// Another process held the database for longer than we wait.
    case busy
    /// The file is no database, is damaged, or holds a value that this program never writes.
    case corrupt
    /// The database refused a value: a duplicate, a broken reference, or text that it cannot hold.
    case refused
    /// Another version of the program made the file: its schema has this version.
    case otherVersion(Int64)
    /// The database cannot be opened, read or written for another reason; the engine's own code.
    case unavailable(code: Int32)
    /// The storage was closed.
    case closed
}
