// SPDX-License-Identifier: Apache-2.0
// The server's requirements for new PINs, beyond the rule that all clients apply.

/// A server's requirements for new PINs. They make the clients' own rule stricter, never looser. A server
/// that sends none has none.
package struct PINDemand: Equatable, Sendable {
    /// The minimum lengths that a server may require: no shorter than the clients' rule, and no longer than
    /// people can remember.
    package static let lengths: ClosedRange<Int> = 4...12
    package static let none = PINDemand()
    /// The word for `refusesDates` in settings and in JSON.
    package static let noDates: StaticString = "no-dates"

    /// The minimum number of characters.
    package let length: Int
    /// Whether a PIN that can be read as a date is refused.
    package let refusesDates: Bool

    /// A length outside `lengths` is replaced by the nearest one within.
    package init(length: Int = 4, refusesDates: Bool = false) {
        let (least, most) = (PINDemand.lengths.lowerBound, PINDemand.lengths.upperBound)
        self.length = max(least, min(length, most))
        self.refusesDates = refusesDates
    }
}
