// SPDX-License-Identifier: Apache-2.0
// mpind.conf(5), mpin-milagro(7) and the rows of mpind.conf: each key with its default and its bounds.
import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct SettingsManualTests {
    @Test func `the manual has every setting, and no other, with its default and its bounds`() throws {
        let page = try ManualPage(of: "mpind.conf")
        var rows: [SettingRow] = []
        for text in ["", "profile = compat", "role = dta1\nrps-credentials = /c"] {
            for row in try settings(text).rows where !rows.contains(where: { $0.key == row.key }) {
                rows.append(row)
            }
        }
        #expect(rows.count > 45 && page.faults(of: rows.map(\.key)) == [])
        for row in rows {
            let bounds = row.bounds.map { "\($0.lowerBound) to \($0.upperBound)" }
            let usual = row.value.flatMap { $0.isEmpty ? nil : $0 }
            #expect(page.faults(row.key, usual: usual, words: bounds) == [])
        }
    }
}
