// SPDX-License-Identifier: Apache-2.0
// How a PIN is turned into a factor.
import MPin
import Octets
import Pairing
import Secrets
import TestSupport
import Testing

@Suite struct `PIN rules` {
    private func factor(_ rule: PINRule, _ pin: String) throws -> [UInt8] {
        try rule.factor(of: Secret(pin)).copy
    }

    @Test func `scrypt stretches the whole PIN and reduces 48 octets modulo r`() throws {
        let salt: [UInt8] = Array(0..<16)
        let pin = try Secret("correct horse")
        let stretched = try stretch(pin, salt: salt, cost: .standard, count: 48)
        let expected = stretched.copy.reduce(Scalar(0)) { $0 * Scalar(256) + Scalar(UInt64($1)) }
        let rule = PINRule.scrypt(.standard, salt: salt)
        let made = try factor(rule, "correct horse")
        #expect(made == expected.octets)
        #expect(try made != factor(rule, "correct horsf"))
        #expect(try made != factor(.scrypt(.standard, salt: Array(1...16)), "correct horse"))
    }

    @Test(arguments: [
        ("1234", 1234), ("0000", 0), ("01234", 1234), ("10000", 0), ("99991234", 1234), ("7", 7),
    ])
    func `numbers are taken modulo 10000`(_ pin: String, _ number: Int) throws {
        #expect(try factor(.number(modulus: 10_000), pin) == scalarOctets(number))
    }

    @Test(arguments: [("123456", 123_456), ("1234567", 234_567), ("42", 42)])
    func `numbers are taken modulo 1000000`(_ pin: String, _ number: Int) throws {
        #expect(try factor(.number(modulus: 1_000_000), pin) == scalarOctets(number))
    }

    /// h = 31h + c in signed 32 bits, with a signed c; the remainder of C; the low 14 bits.
    private func milagro(_ octets: [UInt8]) -> Int {
        let hash = octets.reduce(Int32(0)) { $0 &* 31 &+ Int32(Int8(bitPattern: $1)) }
        return Int(hash % 10_000) & 0x3fff
    }

    @Test func `strings of any characters are hashed as in Milagro's core`() throws {
        for count in 1..<60 {
            let octets = try randomOctets(count)
            let made = try PINRule.milagroString.factor(of: Secret(octets)).copy
            #expect(made == scalarOctets(milagro(octets)), "\(octets)")
        }
        // The hash whose magnitude does not fit in 32 bits.
        let lowest: [UInt8] = Array("polygenelubricants".utf8)
        #expect(lowest.reduce(Int32(0)) { $0 &* 31 &+ Int32($1) } == .min)
        #expect(try PINRule.milagroString.factor(of: Secret(lowest)).copy == scalarOctets(milagro(lowest)))
    }

    @Test(arguments: ["12a4", "12 4", "1234/", ":", "-123", "１２"])
    func `other characters are refused where digits are required`(_ pin: String) throws {
        let secret = try Secret(pin)
        #expect(throws: MPinError.invalidScalar) {
            _ = try PINRule.number(modulus: 10_000).factor(of: secret)
        }
    }

    @Test(arguments: [0, 1, -1, 9999, 100_000, .min, .max])
    func `a modulus that no client used is refused`(_ modulus: Int) throws {
        let secret = try Secret("1234")
        #expect(throws: MPinError.invalidScalar) {
            _ = try PINRule.number(modulus: modulus).factor(of: secret)
        }
    }

    @Test(arguments: [
        PINRule.scrypt(.standard, salt: [1]), .milagroString, .number(modulus: 10_000),
    ])
    func `an empty PIN is refused`(_ rule: PINRule) throws {
        let empty = try Secret(count: 0)
        #expect(throws: MPinError.invalidScalar) { _ = try rule.factor(of: empty) }
    }
}
