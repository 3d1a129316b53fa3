// SPDX-License-Identifier: Apache-2.0
// What a command tells when its work is done, and how its lines are set.

/// What a command has to tell when it did its work.
package protocol Report: Encodable {
    /// For people.
    var lines: [String] { get }
    /// What went wrong although there is something to tell.
    var failures: [Failure] { get }
    /// The status that the command ends with; nil is 0.
    var exit: Int32? { get }
}

extension Report {
    /// None, unless a report has its own.
    package var failures: [Failure] { [] }
    /// The highest status of the failures; nil without any.
    package var exit: Int32? { failures.map(\.trouble.exit).max() }
}

/// Columns, each as wide as its widest word.
func table(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
        zip(row, widths).dropLast().map { aligned($0, $1 + 2) }.joined() + (row.last ?? "")
    }
}

func aligned(_ word: String, _ width: Int) -> String {
    word + String(repeating: " ", count: max(1, width - word.count))
}
