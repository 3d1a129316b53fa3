// SPDX-License-Identifier: Apache-2.0
// The errors of the storage protocols.

/// An error of the database. A caller that gets one refuses the request.
package enum StorageError: Error, Equatable, Sendable {
    /// The disk is full, or the file has reached its size limit.
    case full
    /// Another process held the database longer than the connection waits for it.
    case busy
    /// The file is not a database of ours, is damaged, or holds a value that this program never writes.
    case corrupt
    /// The database refused a value: a duplicate, a broken reference, or text that it cannot hold.
    case refused
    /// The file was made by another version of the program; the value is the version of its schema.
    case otherVersion(Int64)
    /// The database cannot be opened, read or written for another reason; `code` is the engine's or the
    /// system's error code.
    case unavailable(code: Int32)
    /// The storage was closed.
    case closed
}
