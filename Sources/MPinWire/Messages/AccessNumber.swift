// SPDX-License-Identifier: Apache-2.0
// The number that people type on a second device: seven digits (ASCII), the last of them a check.
import Octets

/// The seven digits that name a session for people who type, the last of them a check digit.
package enum AccessNumber {
    package static let count = 7

    /// Whether these are seven digits that a server gives out: their check is right.
    package static func isValid(_ number: [UInt8]) -> Bool {
        guard number.count == count, let check = checkDigit(of: [UInt8](number.dropLast())) else {
            return false
        }
        return number.last == check
    }

    /// The digit that completes six others; nil if they are not six digits, or if their check is 0 or 10: no
    /// server gives such a number out, for Milagro's clients cannot tell the two apart.
    package static func checkDigit(of digits: [UInt8]) -> UInt8? {
        guard digits.count == count - 1, digits.allSatisfy(isDigit) else { return nil }
        // The first digit weighs 7, the sixth 2, the check 1: all of them together are a multiple of 11.
        let sum = zip(digits, 0...).reduce(0) { $0 + Int($1.0 - 0x30) * (count - $1.1) }
        let check = (11 - sum % 11) % 11
        return (1...9).contains(check) ? 0x30 + UInt8(check) : nil
    }
}
