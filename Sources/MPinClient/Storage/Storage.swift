// SPDX-License-Identifier: Apache-2.0
// Where a client keeps its users, for apps that bring their own place.

/// A storage could not be read or written. The call throws ``Status/storageError``.
public struct StorageFailure: Error, Equatable, Sendable {
    /// A sentence for the log, without what is stored.
    public let message: String

    /// A failure with a sentence that says what went wrong; it holds nothing of what is stored.
    public init(_ message: String) { self.message = message }
}

/// Keeps one text. A client has two: in the secure one stand tokens and what a registration is gone on with,
/// in the plain one states and names. ``FileStorage`` is one.
///
/// The client reads the whole text at every call and writes it whole. Two clients must not use one storage at
/// a time.
public protocol Storage {
    /// JSON in UTF-8 as it was last written; empty where nothing was.
    func read() throws(StorageFailure) -> [UInt8]
    /// Puts the text in the place of the old one. When this returns the new text survives a loss of power;
    /// when it throws, the old one is still there.
    func write(_ text: [UInt8]) throws(StorageFailure)
}
