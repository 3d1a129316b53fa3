// SPDX-License-Identifier: Apache-2.0
// How many rows one source may keep.
import MPinStorage

extension Transaction {
    /// Removes the rows of a source beyond a limit, the first in `order` stay. On PostgreSQL one transaction
    /// at a time does this, and the others leave it to the next one: two of them could each wait for a row
    /// that the other has just written.
    /// - Parameter key: the columns by which a row is found again.
    func removeExcess(
        of source: String, in table: String, _ key: String, where condition: String = "1 = 1",
        order: String, beyond limit: Int64
    ) throws(StorageError) {
        let excess = """
            SELECT \(key) FROM \(table) WHERE source = $1 AND \(condition)
            ORDER BY \(order) LIMIT 100 OFFSET $2
            """
        let values = [Value.text(source), .integer(limit)]
        guard try row(excess, values) != nil, try isAlone(in: "excess of " + table) else { return }
        try run("DELETE FROM \(table) WHERE (\(key)) IN (\(excess))", values)
    }
}
