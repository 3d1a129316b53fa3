// SPDX-License-Identifier: Apache-2.0
// An account as a value.

/// An entry of passwd(5): uid, gid and name.
package struct Account: Equatable, Sendable {
    package let uid: UInt32
    package let gid: UInt32
    /// As the database spells it, which may differ from what the user typed.
    package let name: [UInt8]

    package init(uid: UInt32, gid: UInt32, name: [UInt8]) {
        self.uid = uid
        self.gid = gid
        self.name = name
    }
}
