// SPDX-License-Identifier: Apache-2.0
// The manual pages name what the program can list: metrics, and the words of refusals and of distrust.
import Foundation
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite struct ManualTests {
    /// The words that a page's lists explain.
    private func words(of page: String) throws -> Set<String> {
        let path = checkout.appending(path: "packaging/man/\(page)")
        let items = try String(contentsOf: path, encoding: .utf8).matches(of: #/\n\.It Li (.*)/#)
        return Set(items.flatMap { $0.1.split(separator: " ").map(String.init) })
    }

    @Test func `mpind(8) names every metric`() throws {
        let metrics = try words(of: "mpind.8").filter { $0.hasPrefix("mpind_") || $0.hasPrefix("process_") }
        #expect(metrics == Set(Metric.allCases.map(\.rawValue)))
    }

    @Test func `mpin-log(7) names every kind of refusal and every reason for distrust`() throws {
        let kinds = RefusalKind.allCases.filter { $0 != .answer }.map(\.rawValue)
        let words = Set(kinds + Distrust.allCases.map { "\($0.word)" })
        #expect(try words.subtracting(self.words(of: "mpin-log.7")).isEmpty)
    }
}
