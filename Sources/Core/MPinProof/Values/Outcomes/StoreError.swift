// SPDX-License-Identifier: Apache-2.0
// The errors of the stored files; none of them ever means "not enrolled".
package import MPinWire

/// A file that cannot be used, and why.
package struct StoreError: Error, Equatable, Sendable {
    /// What is wrong with the file.
    package enum Fault: Equatable, Sendable {
        case missing
        /// The file belongs neither to root nor to the caller.
        case foreignOwner
        /// Other users can read or write the file although they must not, or can change a folder above it.
        case tooOpen
        /// It is not a regular file, or not a folder, but a link, a pipe or a device.
        case wrongType
        /// The path is not absolute, or contains `.` or `..`.
        case badPath
        /// The file is longer than permitted.
        case tooLong
        /// The folder has no marker: it is not a store, or it is not mounted.
        case noMarker
        case system(errno: Int32)
        case grammar(line: Int, GrammarError.Reason)
        case key(KeyError)
        /// The file is for another uid, account name (`otherName`) or host (`otherHost`).
        case otherUID
        case otherName
        case otherHost
        /// A section's name is not the hash of its mpin-id.
        case otherIdentity
        /// A token is not a point, or a key is invalid.
        case badSecret
        /// There is a second token with the same mpin-id: their difference would reveal both PINs.
        case secondToken
        case outOfMemory
        /// Another process has kept the store locked for too long.
        case locked
    }
    /// The path, for the log.
    package let file: [UInt8]
    package let fault: Fault

    package init(file: [UInt8], fault: Fault) {
        self.file = file
        self.fault = fault
    }
}

extension StoreError.Fault: Error {}
