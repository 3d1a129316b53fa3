// SPDX-License-Identifier: Apache-2.0
// Whose audit records go when there are too many of a class: those of the host and subject with the most.

/// The records of one class that one subject has at one host.
struct AuditGroup {
    let host: String
    let subject: String
    let count: Int64
    /// The number of the newest one.
    let newest: Int64
}

extension AuditGroup {
    /// How many records of each group go, so that no more than `limit` stay. Hosts have equal shares of them,
    /// and the subjects of a host have equal shares of its own; what one does not need, the others have.
    static func surplus(of groups: [AuditGroup], beyond limit: Int64) -> [(group: AuditGroup, count: Int64)] {
        let hosts = Dictionary(grouping: groups, by: \.host).values.map { groups in
            (groups, count: groups.reduce(0) { $0 + $1.count }, newest: groups.map(\.newest).max() ?? 0)
        }
        var surplus: [(AuditGroup, Int64)] = []
        for ((groups, _, _), share) in zip(hosts, shares(of: hosts.map { ($0.count, $0.newest) }, in: limit))
        {
            let kept = shares(of: groups.map { ($0.count, $0.newest) }, in: share)
            for (group, kept) in zip(groups, kept) where kept < group.count {
                surplus.append((group, group.count - kept))
            }
        }
        return surplus
    }

    /// What each may keep of `limit`. Those with the fewest keep all; among equals the one whose newest
    /// record is older has less.
    private static func shares(of all: [(count: Int64, newest: Int64)], in limit: Int64) -> [Int64] {
        var kept = all.map(\.count)
        var left = limit
        let order = all.indices.sorted { all[$0] < all[$1] }
        for (place, index) in order.enumerated() {
            kept[index] = min(kept[index], left / Int64(order.count - place))
            left -= kept[index]
        }
        return kept
    }
}
