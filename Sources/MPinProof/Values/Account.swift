// SPDX-License-Identifier: Apache-2.0
// The account that somebody logs in to, as values.

/// An entry of passwd(5): uid, gid and name.
package struct Account: Equatable, Sendable {
    package let uid: UInt32
    package let gid: UInt32
    /// As the database spells it, which need not be how it was typed.
    package let name: [UInt8]

    package init(uid: UInt32, gid: UInt32, name: [UInt8]) {
        self.uid = uid
        self.gid = gid
        self.name = name
    }
}

/// A database could not be asked; that is never "no such account".
package struct AccountError: Error, Equatable {
    package let errno: Int32

    package init(errno: Int32) { self.errno = errno }
}
