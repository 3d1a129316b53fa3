// SPDX-License-Identifier: Apache-2.0
// Lines of the log: a record with any values is one line, and parses back to the same values.
import MPinConsole
import Octets
import TestSupport
import Testing

@Suite struct LogLineTests {
    @Test func `a line is an event and its pairs`() {
        var line = LogLine("granted")
        line.add("user", Array("alice".utf8))
        line.add("label", nil as [UInt8]?)
        line.add("tries", 2)
        line.add("way", "pin")
        #expect(String(decoding: line.octets, as: UTF8.self) == #"granted user="alice" tries="2" way="pin""#)
    }

    @Test func `a value cannot forge another`() {
        var line = LogLine("refused")
        line.add("user", Array("a\" user=\"root\\\n\u{1b}".utf8))
        let text = String(decoding: line.octets, as: UTF8.self)
        #expect(text == #"refused user="a\042\040user=\042root\134\012\033""#)
    }

    @Test func `every value reads back, cut to 64 octets`() throws {
        var generator = SplitMix(seed: 21)
        for _ in 0..<200 {
            let count = Int.random(in: 0...90, using: &generator)
            let value = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var line = LogLine("e")
            line.add("k", value)
            line.add("end", "1")
            #expect(line.octets.allSatisfy { (0x20...0x7E).contains($0) })
            #expect(try readBack(line.octets) == [Array(value.prefix(64)), [0x31]])
        }
    }

    @Test(arguments: [(0, "0"), (7, "7"), (-12, "-12"), (Int.max, "9223372036854775807")])
    func `a number is written in decimal`(number: Int, text: String) {
        #expect(String(decoding: decimal(number), as: UTF8.self) == text)
    }
}

/// The values of a line, parsed by the grammar alone: the text between quotes, with `\ooo` decoded.
private func readBack(_ line: [UInt8]) throws -> [[UInt8]] {
    let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    return try stride(from: 1, to: parts.count, by: 2).map { index in
        var value: [UInt8] = []
        var rest = parts[index]
        while let octet = rest.popFirst() {
            guard octet == UInt8(ascii: "\\") else {
                value.append(octet)
                continue
            }
            let digits = String(decoding: rest.prefix(3), as: UTF8.self)
            value.append(try #require(UInt8(digits, radix: 8)))
            rest = rest.dropFirst(3)
        }
        return value
    }
}
