// SPDX-License-Identifier: Apache-2.0
// How many rows one source may keep.
import MPinDatabase

extension Transaction {
    /// Whether no other transaction removes old rows of this table now. Two of them could each wait for a row
    /// that the other has just written, so those that are not alone leave it to the next one.
    func isAloneTrimming(_ table: String) throws(StorageError) -> Bool { try isAlone(in: "trim " + table) }

    /// Removes the rows of a source beyond a limit; the first in `order` stay.
    /// - Parameter key: the columns by which a row is found again.
    func removeExcess(
        of source: String, in table: String, _ key: String, where condition: String? = nil,
        order: String, beyond limit: Int64
    ) throws(StorageError) {
        let further = condition.map { "AND " + $0 } ?? ""
        let excess = """
            SELECT \(key) FROM \(table) WHERE source = $1 \(further)
            ORDER BY \(order) LIMIT 100 OFFSET $2
            """
        let values = [Value.text(source), .integer(limit)]
        guard try row(excess, values) != nil, try isAloneTrimming(table) else { return }
        try run("DELETE FROM \(table) WHERE (\(key)) IN (\(excess))", values)
    }
}
