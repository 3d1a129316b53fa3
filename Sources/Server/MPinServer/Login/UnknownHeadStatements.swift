// SPDX-License-Identifier: Apache-2.0
// The counts of wrong tries of ids that no live identity has: how many are kept.
import MPinDatabase

extension Transaction {
    /// Unknown ids are counted like any other, but neither one source nor many can fill the disk with them.
    func forgetUnknown(_ source: String) throws(StorageError) {
        try removeExcess(
            of: source, in: "heads", "id, source", where: "known = 0", order: "last_at DESC",
            beyond: Limits.unknownHeadsPerSource)
        let excess = "known = 0 AND number <= $1"
        let last = [Value.integer(try newestUnknown() - Limits.unknownHeadsInAll)]
        guard try row("SELECT 1 FROM heads WHERE \(excess) LIMIT 1", last) != nil,
            try isAloneTrimming("heads")
        else { return }
        try run("DELETE FROM heads WHERE \(excess)", last)
    }

    /// The number of the newest count of an unknown id. The numbers rise by one, so that the oldest counts
    /// are found without counting them.
    func newestUnknown() throws(StorageError) -> Int64 {
        let found = try row("SELECT COALESCE(MAX(number), 0) FROM heads WHERE known = 0")
        guard var found else { throw .corrupt }
        return try found.integer()
    }
}
