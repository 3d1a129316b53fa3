// SPDX-License-Identifier: Apache-2.0
// Access numbers: the check digit of Milagro's server, and the typing errors that it detects.
import MPinWire
import Testing

@Suite struct AccessNumberTests {
    /// Numbers that a Milagro server issued, and one that begins with zeros.
    private static let good = ["3232212", "1754335", "2518074", "4008707", "4780442", "8686815", "0000108"]

    @Test(arguments: good)
    func `a number with the right check digit is valid`(number: String) {
        #expect(AccessNumber.isValid(Array(number.utf8)))
        #expect(AccessNumber.checkDigit(of: Array(number.utf8.dropLast())) == number.utf8.last)
    }

    @Test(arguments: [
        "", "323221", "32322122", "323221 ", "32322l2", "-323221", "3232213", "3232210", "٣٢٣٢٢١٢",
    ])
    func `any other text is invalid`(number: String) {
        #expect(!AccessNumber.isValid(Array(number.utf8)))
    }

    @Test(arguments: good)
    func `one wrong digit or two exchanged ones are always detected`(number: String) {
        let right = Array(number.utf8)
        for place in right.indices {
            for digit in UInt8(ascii: "0")...UInt8(ascii: "9") where digit != right[place] {
                var wrong = right
                wrong[place] = digit
                #expect(!AccessNumber.isValid(wrong))
            }
            for other in right.indices where right[other] != right[place] {
                var wrong = right
                wrong.swapAt(place, other)
                #expect(!AccessNumber.isValid(wrong))
            }
        }
    }

    @Test func `no issued number ends in 0, and two of eleven six-digit numbers have no check digit`() {
        var none = 0
        for number in 0..<1_000_000 {
            let text = String(number)
            let digits = Array((String(repeating: "0", count: 6 - text.count) + text).utf8)
            guard let check = AccessNumber.checkDigit(of: digits) else {
                none += 1
                continue
            }
            #expect(check != UInt8(ascii: "0"))
            if number.isMultiple(of: 997) { #expect(AccessNumber.isValid(digits + [check])) }
        }
        // Two remainders of eleven, over all numbers of six digits.
        #expect(none == 181_818)
    }

    @Test func `any text but six digits has no check digit`() {
        for text in ["", "12345", "1234567", "12345x", "12 456"] {
            #expect(AccessNumber.checkDigit(of: Array(text.utf8)) == nil)
        }
    }
}
