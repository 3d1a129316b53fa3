// SPDX-License-Identifier: Apache-2.0
// Lines with aligned columns, for the output of commands.

#if !hasFeature(Embedded)
    /// Rows as lines with aligned columns; each column is as wide as its widest word.
    package func alignedColumns(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            zip(row.dropLast(), widths).map { aligned($0, $1 + 2) }.joined() + (row.last ?? "")
        }
    }

    /// A word with blanks up to a width; at least one.
    package func aligned(_ word: String, _ width: Int) -> String {
        word + String(repeating: " ", count: max(1, width - word.count))
    }
#endif
