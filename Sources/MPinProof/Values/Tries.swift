// SPDX-License-Identifier: Apache-2.0
// What somebody is told after a login that succeeded: the wrong PINs before it, and how few tries are left.
package import MPin
import MPinWire
import Octets

/// The tries of a PIN as its owner is told them.
package struct Tries: Equatable, Sendable {
    /// Wrong PINs since the last login; 65,535 stands for that many or more.
    package let wrong: Int
    /// When the last one came, in seconds since 1970-01-01 UTC; 0 if there was none.
    package let lastSeconds: UInt64
    /// Where it came from, fit to be shown; empty if nobody knows.
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
