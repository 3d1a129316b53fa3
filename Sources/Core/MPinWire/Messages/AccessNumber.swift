// SPDX-License-Identifier: Apache-2.0
// The access number, which people type on a second device.
import Octets

/// The access number: seven digits (ASCII) that name a session for people who type. The last is a check
/// digit.
package enum AccessNumber {
    package static let count = 7

    /// Whether these are seven digits with a correct check digit.
    package static func isValid(_ number: [UInt8]) -> Bool {
        guard number.count == count, let check = checkDigit(of: [UInt8](number.dropLast())) else {
            return false
        }
        return number.last == check
    }

    /// The check digit (ASCII) of six digits; nil if they are not six digits, or if the check would be 0 or
    /// 10: no server issues such a number, because Milagro's clients cannot distinguish the two.
    package static func checkDigit(of digits: [UInt8]) -> UInt8? {
        guard digits.count == count - 1, digits.allSatisfy(isDigit) else { return nil }
        // The first digit has weight 7, the sixth 2, the check digit 1; the weighted sum is a multiple of 11.
        let sum = zip(digits, 0...).reduce(0) { $0 + Int($1.0 - 0x30) * (count - $1.1) }
        let check = (11 - sum % 11) % 11
        return (1...9).contains(check) ? 0x30 + UInt8(check) : nil
    }
}
