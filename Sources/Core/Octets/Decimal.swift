// SPDX-License-Identifier: Apache-2.0
// Numbers in decimal digits and as big-endian octets.

/// A number in decimal digits (ASCII), with `-` before a negative one.
package func decimal<N: FixedWidthInteger>(_ number: N) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = number.magnitude
    repeat {
        digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
    } while rest > 0
    if number < 0 { digits.append(UInt8(ascii: "-")) }
    return digits.reversed()
}

/// The number that 1 to 12 decimal digits (ASCII) without a sign stand for; nil outside the bounds.
/// An Int has 32 bits in the browser, so the sum has 64.
package func wholeNumber<N: FixedWidthInteger>(_ text: [UInt8], in bounds: ClosedRange<N>) -> N? {
    guard (1...12).contains(text.count), text.allSatisfy(isDigit) else { return nil }
    let sum: UInt64 = text.reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
    guard let number = N(exactly: sum) else { return nil }
    return bounds.contains(number) ? number : nil
}

/// Whether an octet is a decimal digit (ASCII).
package func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }

/// The octets of a number, the most significant octet first. Inlinable, because other modules would otherwise
/// call it unspecialized, which adds a tenth to the cost of a sealed question.
@inlinable package func bigEndian<N: FixedWidthInteger & UnsignedInteger>(_ value: N) -> [UInt8] {
    var octets: [UInt8] = []
    for shift in stride(from: N.bitWidth - 8, through: 0, by: -8) {
        octets.append(UInt8(truncatingIfNeeded: value >> N(truncatingIfNeeded: shift)))
    }
    return octets
}
