// SPDX-License-Identifier: Apache-2.0
// Numeric addresses and numbers, parsed without the C library.
import Glibc
import MPinWire
import Octets
import TestSupport
import Testing

@Suite struct IPAddressTests {
    /// Parts that, joined at random, make addresses and near misses.
    private static let parts = [
        "1", "0", "00", "255", "256", "01", "ffff", "FFFF", "fffff", "abcd", "g", ":", ":", ":", "::", "::",
        ".", ".", ".", "10.0.0.1", "1.2.3", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6", "::ffff:192.0.2.1", "", " ",
    ]

    @Test func `an address is parsed as the C library parses it`() {
        var random = SplitMix(seed: 20)
        var numeric = 0
        for _ in 0..<200_000 {
            let count = Int.random(in: 1...7, using: &random)
            let text = (0..<count).map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
            let ours = IPAddress(Array(text.utf8))?.octets
            let theirs = text.utf8.count > 45 ? nil : Self.libraryOctets(text)
            #expect(ours == theirs, "\(text)")
            numeric += ours == nil ? 0 : 1
        }
        #expect(numeric > 2_000)
    }

    @Test func `a number beyond 32 bits is out of bounds and does not trap`() {
        #expect(wholeNumber(Array("4294967295".utf8), in: 0...UInt32.max) == .max)
        #expect(wholeNumber(Array("4294967296".utf8), in: 0...UInt32.max) == nil)
        #expect(wholeNumber(Array("999999999999".utf8), in: 0...Int32.max) == nil)
        #expect(wholeNumber(Array("256".utf8), in: 0...UInt8.max) == nil)
        #expect(wholeNumber(Array("-1".utf8), in: 0...Int32.max) == nil)
    }

    private static func libraryOctets(_ text: String) -> [UInt8]? {
        let isSix = text.contains(":")
        var octets = [UInt8](repeating: 0, count: isSix ? 16 : 4)
        guard unsafe inet_pton(isSix ? AF_INET6 : AF_INET, text, &octets) == 1 else { return nil }
        let isMapped = isSix && octets[..<12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        return isMapped ? [UInt8](octets[12...]) : octets
    }
}
