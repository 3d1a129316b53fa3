// SPDX-License-Identifier: Apache-2.0
// Octets of text: our own words and numbers.

/// The octets of one of our own words.
func ascii(_ text: StaticString) -> [UInt8] {
    text.withUTF8Buffer { unsafe [UInt8]($0) }
}

func decimal<N: FixedWidthInteger & UnsignedInteger>(_ number: N) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = number
    repeat {
        digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
    } while rest > 0
    return digits.reversed()
}

/// A number of decimal digits without a sign, nil outside the bounds. Twelve digits at most.
func wholeNumber(_ text: [UInt8], in bounds: ClosedRange<Int>) -> Int? {
    guard (1...12).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return bounds.contains(number) ? number : nil
}

/// The same in lower case, as far as ASCII has any.
func lowered(_ text: [UInt8]) -> [UInt8] { text.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 } }

/// The words between blanks.
func words(_ text: [UInt8]) -> [[UInt8]] {
    text.split { $0 == 0x20 || $0 == 0x09 }.map { [UInt8]($0) }
}
