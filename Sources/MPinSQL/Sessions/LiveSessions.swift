// SPDX-License-Identifier: Apache-2.0
// How many sessions live at the same time, of those that anyone may open.
import MPinStorage

/// The numbers of live sessions that count against one requester.
struct LiveSessions {
    let inAll: Int64
    let ofNetwork: Int64
    let ofSource: Int64

    /// Whether fewer than `limit` live in all, and fewer than its share of the network.
    func leavesRoom(below limit: Int64) -> Bool {
        inAll < limit && ofNetwork < Limits.networkShare(of: limit)
    }
}

extension Transaction {
    /// - Parameters:
    ///   - matching: a table and a condition in SQL, in which $1 is now, and $4 is `value`.
    func live(
        _ matching: String, _ value: Value? = nil, of requester: Requester
    ) throws(StorageError) -> LiveSessions {
        let counts = try row(
            """
            SELECT COUNT(*), COUNT(CASE WHEN network = $2 THEN 1 END), COUNT(CASE WHEN source = $3 THEN 1 END)
            FROM \(matching)
            """,
            [.integer(now), .text(requester.network), .text(requester.source)] + (value.map { [$0] } ?? []))
        guard var counts else { throw .corrupt }
        return LiveSessions(
            inAll: try counts.integer(), ofNetwork: try counts.integer(), ofSource: try counts.integer())
    }
}
