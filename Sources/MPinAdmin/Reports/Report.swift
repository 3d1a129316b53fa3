// SPDX-License-Identifier: Apache-2.0
// The report of a command that has done its work, and the layout of its lines.

/// What a command reports when it has done its work. As `Encodable` it is the command's JSON.
package protocol Report: Encodable {
    /// The lines for people.
    var lines: [String] { get }
    /// What failed although there is a report.
    var failures: [Failure] { get }
    /// The exit status of the command; nil is 0.
    var exit: Int32? { get }
}

extension Report {
    /// Empty unless a report has its own failures.
    package var failures: [Failure] { [] }
    /// The highest status of the failures; nil without any.
    package var exit: Int32? { failures.map(\.kind.exit).max() }
}

/// Rows as lines with aligned columns; each column is as wide as its widest word.
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
