// SPDX-License-Identifier: Apache-2.0
// In which order requests are worked on: a fair queue without threads or clocks of its own.

/// How many requests are worked on at a time. More would only wait for the database, in the order in which
/// they came, and there a crowd would be before everybody else.
package struct TurnLimits: Equatable, Sendable {
    package let total: Int
    /// What is kept for root and the relays.
    package let reserve: Int
    /// Of one source.
    package let share: Int

    package init(processors: Int) {
        total = max(1, processors) + 6
        reserve = 2
        share = max(4, total / 2)
    }
}

/// Turns are dealt by start-time fair queueing: each source has a time of its own, which a turn moves on by
/// one, and the earliest is next. A network's moves on by a quarter, so that all its sources together get
/// four turns for one of somebody else's; that of root and the relays by an eighth.
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

    /// Waits for a turn; `next` says whose it is.
    package mutating func wait(_ id: Int, _ source: Source, isPrivileged: Bool) {
        let time = max(now, sources[source] ?? 0, networks[source.network] ?? 0)
        waiting.append(Waiting(id: id, source: source, isPrivileged: isPrivileged, time: time))
        let step = isPrivileged ? 0.125 : 1
        sources[source] = time + step
        networks[source.network] = max(now, networks[source.network] ?? 0) + min(step, 0.25)
    }

    /// Whose turn begins now; nil while nobody can have one. Ask until it is nil.
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

    /// Times that are past say nothing any more; without them the table stays small.
    private mutating func forget() {
        sources = sources.filter { $0.value > now }
        networks = networks.filter { $0.value > now }
    }
}
