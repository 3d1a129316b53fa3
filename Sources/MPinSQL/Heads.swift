// SPDX-License-Identifier: Apache-2.0
// The count of wrong tries in a row by one identity from one source, and the lock that it brings.
import MPinStorage

/// A count as it stands after a transaction has looked at it.
struct Head {
    var failures: Int64 = 0
    var lockedSeconds: UInt32 = 0
    /// This transaction added one; false if the lock forbade it.
    var counted = false

    var triesLeft: UInt16 { Limits.triesLeft(afterFailures: failures) }
}

extension Transaction {
    /// Adds one, unless a lock is on. The third in a row, and each one after it, puts the lock on before its
    /// proof is looked at, so parallel tries cannot pass together.
    func count(_ id: [UInt8], _ source: String, known: Bool) throws(StorageError) -> Head {
        let counted = try row(
            """
            INSERT INTO heads (id, source, known, failures, locked_until, last_at)
            VALUES ($1, $2, $3, 1, 0, $4)
            ON CONFLICT (id, source) DO UPDATE SET failures = heads.failures + 1, known = $3, last_at = $4
            WHERE heads.locked_until <= $4
            RETURNING failures
            """, [.octets(id), .text(source), .flag(known), .integer(now)])
        guard var counted else { return try head(id, source) }
        let failures = try counted.integer()
        let lock = Limits.lock(afterFailures: failures)
        if lock > 0 {
            try run(
                "UPDATE heads SET locked_until = $3 WHERE id = $1 AND source = $2",
                [.octets(id), .text(source), .integer(now + lock)])
        }
        if !known { try forgetUnknown(source) }
        return Head(failures: failures, lockedSeconds: UInt32(clamping: lock / Limits.second), counted: true)
    }

    /// The count that ends in a block, of an unbound mpinId: the last try that it allows puts the block on
    /// before its proof is looked at. Nil where sources are counted each for itself.
    func countToBlock(_ mpin: MpinRecord, limit: Int64?) throws(StorageError) -> Head? {
        guard mpin.description.kind == .unbound, limit != nil || mpin.blockedAt != nil else { return nil }
        let counted = try row(
            """
            UPDATE mpins SET failures = failures + 1,
                blocked_at = CASE WHEN failures + 1 >= $2 THEN $3 ELSE NULL END
            WHERE id = $1 AND blocked_at IS NULL RETURNING failures
            """, [.octets(mpin.description.id), .integer(limit ?? 1), .integer(now)])
        guard var counted else { return Head(lockedSeconds: .max) }
        return Head(failures: try counted.integer(), counted: true)
    }

    func head(_ id: [UInt8], _ source: String) throws(StorageError) -> Head {
        let found = try row(
            "SELECT failures, locked_until FROM heads WHERE id = $1 AND source = $2",
            [.octets(id), .text(source)])
        guard var found else { return Head() }
        let failures = try found.integer()
        let left = max(0, try found.integer() - now)
        return Head(
            failures: failures, lockedSeconds: UInt32(clamping: (left + Limits.second - 1) / Limits.second))
    }

    func clearHead(_ id: [UInt8], _ source: String) throws(StorageError) {
        try run("DELETE FROM heads WHERE id = $1 AND source = $2", [.octets(id), .text(source)])
    }

    /// Ids that nobody has are counted like any other, but one source cannot fill the disk with them.
    private func forgetUnknown(_ source: String) throws(StorageError) {
        try run(
            """
            DELETE FROM heads WHERE (id, source) IN (SELECT id, source FROM heads
                WHERE source = $1 AND known = 0 ORDER BY last_at DESC LIMIT 100 OFFSET $2)
            """, [.text(source), .integer(Limits.unknownHeadsPerSource)])
    }
}
