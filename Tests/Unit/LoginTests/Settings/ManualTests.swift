// SPDX-License-Identifier: Apache-2.0
// mpin.conf(5) and the rows of mpin.conf: each key with its default and its bounds.
import MPinHostStore
import MPinWire
import TestSupport
import Testing

@Suite struct `The manual of mpin.conf` {
    @Test func `has every setting, and no other, with its default and its bounds`() throws {
        let page = try ManualPage(of: "mpin.conf")
        let rows = try readSettings(leastSettings).rows
        #expect(rows.count > 30 && page.faults(of: rows.map(\.key)) == [])
        for row in rows {
            let bounds = row.bounds.map { "\($0.lowerBound) to \($0.upperBound)" }
            // The value of a backend has no default.
            #expect(page.faults(row.key, usual: row.value, words: bounds) == [])
            let words = row.needsSection ? "Only in the section of a service" : nil
            #expect(page.faults(row.key, usual: nil, words: words) == [])
        }
    }

    @Test(arguments: [
        ("grace", "1m to 60m", ["1m", "60m"], ["0m", "61m", "59"]),
        ("screen", "20 to 1000 columns", ["20x5", "1000x5"], ["19x5", "1001x5"]),
        ("screen", "5 to 1000 rows", ["20x5", "20x1000"], ["20x4", "20x1001"]),
    ])
    func `has the bounds of values that are no whole numbers`(
        _ key: String, _ words: String, _ good: [String], _ bad: [String]
    ) throws {
        #expect(try ManualPage(of: "mpin.conf").faults(key, usual: nil, words: words) == [])
        for value in good + bad {
            let fault = settingsFault(leastSettings + "[su]\n\(key) = \(value)")
            #expect((fault == nil) == good.contains(value), "\(key) = \(value)")
        }
    }
}
