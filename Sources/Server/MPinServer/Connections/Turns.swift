// SPDX-License-Identifier: Apache-2.0
// The order in which requests are handled: a fair queue without threads or clocks.

/// How many requests are handled at a time. More would only wait for the database, in the order of their
/// arrival, where a flood would be ahead of everybody else.
package struct TurnLimits: Equatable, Sendable {
    package let total: Int
    /// How many are reserved for root and the relays.
    let reserve: Int
    /// The most of one source.
    package let share: Int

    package init(processors: Int) {
        total = max(1, processors) + 6
        reserve = 2
        share = max(4, total / 2)
    }
}

/// Start-time fair queueing: each source has a virtual time, which each of its requests advances by one, and
/// the waiting request with the earliest time is next. The time of a network advances by a quarter, so all
/// its sources together get four turns for one of another source. The times of root and the relays advance by
/// an eighth.
package struct Turns: Sendable {
    private struct Waiting {
        let id: Int
        let source: Source
        let isPrivileged: Bool
        let time: Double
    }

    private let limits: TurnLimits
    private var waiting: [Waiting] = []
    private var working: [Int: (source: Source, isPrivileged: Bool)] = [:]
    private var shares: [Source: Int] = [:]
    private var strangers = 0
    private var sources: [Source: Double] = [:]
    private var networks: [Network: Double] = [:]
    private var now = 0.0

    package init(_ limits: TurnLimits) { self.limits = limits }

    /// How many wait.
    package var count: Int { waiting.count }

    /// Queues a request; `next` returns its id when its turn comes.
    package mutating func wait(_ id: Int, _ source: Source, isPrivileged: Bool) {
        let time = max(now, sources[source] ?? 0, networks[source.network] ?? 0)
        waiting.append(Waiting(id: id, source: source, isPrivileged: isPrivileged, time: time))
        let step = isPrivileged ? 0.125 : 1
        sources[source] = time + step
        networks[source.network] = max(now, networks[source.network] ?? 0) + min(step, 0.25)
    }

    /// The id of the request whose turn begins now; nil if none can begin. Call it until it returns nil.
    package mutating func next() -> Int? {
        guard working.count < limits.total else { return nil }
        var first: Int?
        for (index, one) in waiting.enumerated() where mayWork(one) {
            if let best = first, waiting[best].time <= one.time { continue }
            first = index
        }
        guard let first else { return nil }
        let one = waiting.remove(at: first)
        now = max(now, one.time)
        working[one.id] = (one.source, one.isPrivileged)
        shares[one.source, default: 0] += 1
        if !one.isPrivileged { strangers += 1 }
        if waiting.isEmpty || sources.count > 4096 { forget() }
        return one.id
    }

    /// The turn is over.
    package mutating func end(_ id: Int) {
        guard let one = working.removeValue(forKey: id) else { return }
        if let left = shares[one.source], left > 1 {
            shares[one.source] = left - 1
        } else {
            shares[one.source] = nil
        }
        if !one.isPrivileged { strangers -= 1 }
    }

    private func mayWork(_ one: Waiting) -> Bool {
        one.isPrivileged
            || strangers < limits.total - limits.reserve && shares[one.source] ?? 0 < limits.share
    }

    /// Removes times that are past: they no longer matter, and the tables stay small.
    private mutating func forget() {
        sources = sources.filter { $0.value > now }
        networks = networks.filter { $0.value > now }
    }
}
