// SPDX-License-Identifier: Apache-2.0
// The characters of codes that people type: either twenty consonants, or the ten digits.
import Octets
package import Secrets

/// The characters of codes that people read and type. The letters are 20 consonants: without vowels, codes do
/// not spell words.
package enum CodeAlphabet {
    /// In the order of their values, 0 to 19.
    package static let letters = ascii("BCDFGHJKLMNPQRSTVWXZ")
    /// In the order of their values.
    package static let digits = ascii("0123456789")

    /// The characters of a typed code in upper case, without blanks, tabs and hyphens; nil if there are not
    /// `count` of them, or if the text has any other character.
    package static func letters(
        of typed: borrowing Secret, count: Int, among signs: [UInt8] = letters
    ) throws(OutOfMemory) -> Secret? {
        guard reads(typed, count: count, among: signs) else { return nil }
        var letters = try Secret(count: count)
        letters.withMutableBytes { letters in
            typed.withBytes { typed in
                var written = 0
                for index in 0..<typed.byteCount {
                    guard let letter = sign(typed, at: index, among: signs) else { continue }
                    letters.storeBytes(of: letter, toByteOffset: written, as: UInt8.self)
                    written += 1
                }
            }
        }
        return letters
    }

    /// Whether the typed text has the form of a code of `count` characters.
    package static func reads(
        _ typed: borrowing Secret, count: Int, among signs: [UInt8] = letters
    ) -> Bool {
        typed.withBytes { typed in
            var found = 0
            for index in 0..<typed.byteCount {
                if sign(typed, at: index, among: signs) != nil {
                    found += 1
                } else if !isSeparator(octet(typed, index)) {
                    return false
                }
            }
            return found == count
        }
    }

    /// The last letter of a number written in letters (base 20), and the number that the letters before it
    /// stand for. It is computed by a multiplication, because the time of a division depends on the number:
    /// floor(n / 20) = floor(n ceil(2^66 / 5) / 2^68) for all n of 64 bits.
    static func lastLetter(_ number: UInt64) -> (letter: UInt8, rest: UInt64) {
        let product = number.multipliedFullWidth(by: 0xcccc_cccc_cccc_cccd)
        let rest = product.high &>> 4
        return (letters[Int(truncatingIfNeeded: number &- rest &* 20)], rest)
    }

    private static func octet(_ typed: RawSpan, _ index: Int) -> UInt8 {
        unsafe typed.unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }

    private static func sign(_ typed: RawSpan, at index: Int, among signs: [UInt8]) -> UInt8? {
        let octet = octet(typed, index)
        let upper = (0x61...0x7a).contains(octet) ? octet - 0x20 : octet
        return signs.contains(upper) ? upper : nil
    }

    private static func isSeparator(_ octet: UInt8) -> Bool {
        octet == 0x20 || octet == 0x09 || octet == 0x2d
    }
}
