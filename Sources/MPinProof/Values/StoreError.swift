// SPDX-License-Identifier: Apache-2.0
// What can be wrong with a file that root keeps; none of it ever means "not enrolled".
package import MPinWire

/// A file that cannot be used, and why.
package struct StoreError: Error, Equatable, Sendable {
    /// What is wrong with the file.
    package enum Fault: Equatable, Sendable {
        case missing
        /// Neither root's nor the caller's.
        case foreignOwner
        /// Others may read or write what they must not, or change a folder above it.
        case tooOpen
        /// Not a regular file, or not a folder: a link, a pipe, a device.
        case wrongType
        /// Not an absolute path without `.` and `..`.
        case badPath
        /// Longer than a file of ours may be.
        case tooLong
        /// The folder has no marker: it is no store, or it is not mounted.
        case noMarker
        case system(errno: Int32)
        case grammar(line: Int, GrammarError.Reason)
        case key(KeyError)
        /// The file is of another uid, account name, or host.
        case otherUID
        case otherName
        case otherHost
        /// A section's name is not the hash of its mpin-id.
        case otherIdentity
        /// A token that is no point, or a key that is none.
        case badSecret
        /// A second token of one mpin-id: their difference would betray both PINs.
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
