// SPDX-License-Identifier: Apache-2.0
// The storages in which a client keeps its users, for apps with an implementation of their own.

/// A storage could not be read or written. The client's call throws ``Status/storageError``.
public struct StorageFailure: Error, Equatable, Sendable {
    /// A sentence for the log, without any stored data.
    public let message: String

    /// Makes a failure with a sentence that says what went wrong, without any stored data.
    public init(_ message: String) { self.message = message }
}

/// Keeps one text. A client has two storages: the secure one has tokens, device keys and what a registration
/// needs to continue; the plain one has states and names. ``FileStorage`` is an implementation.
///
/// The client reads and writes the text as a whole, and reads it at every call. Two clients must not use the
/// same storage at the same time.
public protocol Storage {
    /// The text that was last written, JSON in UTF-8; empty if nothing was written yet.
    func read() throws(StorageFailure) -> [UInt8]
    /// Replaces the text. When this returns, the new text must survive a loss of power. When it throws, the
    /// old text or the new one must be there, as a whole.
    func write(_ text: [UInt8]) throws(StorageFailure)
}
