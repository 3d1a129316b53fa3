// SPDX-License-Identifier: Apache-2.0
// Octets of text: our own words and numbers.

/// The octets of one of our own words.
package func ascii(_ text: StaticString) -> [UInt8] {
    text.withUTF8Buffer { unsafe [UInt8]($0) }
}

package func decimal<N: FixedWidthInteger & UnsignedInteger>(_ number: N) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = number
    repeat {
        digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
    } while rest > 0
    return digits.reversed()
}

/// A number of decimal digits without a sign, nil outside the bounds. Twelve digits at most.
/// An Int has 32 bits in the browser, so the digits are added up in 64.
package func wholeNumber<N: FixedWidthInteger>(_ text: [UInt8], in bounds: ClosedRange<N>) -> N? {
    guard (1...12).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let sum: UInt64 = text.reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
    guard let number = N(exactly: sum) else { return nil }
    return bounds.contains(number) ? number : nil
}

/// The same in lower case, as far as ASCII has any.
package func lowered(_ text: [UInt8]) -> [UInt8] { text.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 } }

/// The words between blanks.
package func words(_ text: [UInt8]) -> [[UInt8]] {
    text.split { $0 == 0x20 || $0 == 0x09 }.map { [UInt8]($0) }
}
