// SPDX-License-Identifier: Apache-2.0
// What a user learns after a successful login: the wrong PINs before it, and how few tries are left.
package import MPin
import MPinWire
import Octets

/// The wrong tries of a PIN, as they are shown to its owner.
package struct Tries: Equatable, Sendable {
    /// Wrong PINs since the last login; 65,535 stands for that many or more.
    package let wrong: Int
    /// The time of the last one, in seconds since 1970-01-01 UTC; 0 if there was none.
    package let lastSeconds: UInt64
    /// The source of the last one, made safe to show; empty if there was none.
    package let lastSource: [UInt8]
    /// How many wrong tries are left before the PIN is blocked; nil while there are many.
    package let left: Int?

    package init(_ notice: TriesNotice, left: Int?) {
        wrong = Int(notice.count)
        lastSeconds = notice.lastSeconds
        lastSource = presentable(notice.lastSource)
        self.left = left
    }
}
