// SPDX-License-Identifier: Apache-2.0
// What a server asks of new PINs, beyond the rule that all clients keep anyhow.

/// It makes that rule stricter, never looser. A server that says nothing asks for nothing.
package struct PINDemand: Equatable, Sendable {
    /// What a server may ask for: no fewer characters than the rule does, and no more than people remember.
    package static let lengths: ClosedRange<Int> = 4...12
    package static let none = PINDemand()
    /// The word for `refusesDates`, in settings and on the wire.
    package static let noDates: StaticString = "no-dates"

    /// So many characters at least.
    package let length: Int
    /// A PIN that reads as a date is refused.
    package let refusesDates: Bool

    /// A length out of bounds counts as the nearest one within.
    package init(length: Int = 4, refusesDates: Bool = false) {
        let (least, most) = (PINDemand.lengths.lowerBound, PINDemand.lengths.upperBound)
        self.length = max(least, min(length, most))
        self.refusesDates = refusesDates
    }
}
