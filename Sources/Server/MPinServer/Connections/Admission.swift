// SPDX-License-Identifier: Apache-2.0
// The policy, without sockets or clocks, of which connections are admitted and which idle ones are closed.

/// How many connections there may be.
package struct ConnectionLimits: Equatable, Sendable {
    package let total: Int
    /// How many are reserved for root and the relays, and as many for all others.
    let reserve: Int
    /// The most of one source: an account, an IPv4 address, an IPv6 /64.
    package let share: Int
    /// The most of an IPv6 /48, and of 127.0.0.0/8.
    let networkShare: Int
    /// A source at its limit gets a new connection only in exchange for one that has been idle this long:
    /// closing costs more than refusing.
    package static let patience = Duration.seconds(1)

    package init(total: Int) {
        self.total = max(8, total)
        reserve = self.total / 4
        share = self.total / 8
        networkShare = 4 * share
    }

    /// For administrators' sockets, whose callers are all treated alike.
    package init(undivided total: Int) {
        self.total = total
        reserve = 0
        share = total
        networkShare = total
    }
}

/// The open connections. A connection is idle until a whole request has arrived, and again after the answer:
/// then the server waits for the client, and may close the connection.
package struct Admission: Sendable {
    /// Whether a new connection is admitted; the integer is the id of the connection to close for it.
    package enum Decision: Equatable, Sendable {
        case admitted
        case admittedInsteadOf(Int)
        case refused
    }

    private struct Guest {
        let source: Source
        let isPrivileged: Bool
        /// nil while the server works for it.
        var idleSince: ContinuousClock.Instant?
    }

    /// The connections of a network, by source.
    private struct Members {
        var ids: [Source: Set<Int>] = [:]
        var count = 0
        /// Before this time, none of these connections has been idle long enough.
        var patience: ContinuousClock.Instant?
    }

    private let limits: ConnectionLimits
    private var guests: [Int: Guest] = [:]
    private var networks: [Network: Members] = [:]
    private var privileged = 0
    /// Before this time, no connection at all has been idle long enough.
    private var patience: ContinuousClock.Instant?

    package init(_ limits: ConnectionLimits) { self.limits = limits }

    package var count: Int { guests.count }

    /// Decides about a new connection; `id` must be new. A connection that gives way is forgotten at once.
    package mutating func admit(
        _ id: Int, _ source: Source, isPrivileged: Bool, now: ContinuousClock.Instant
    ) -> Decision {
        let decision = decide(source, isPrivileged: isPrivileged, at: now)
        switch decision {
        case .refused: return decision
        case .admittedInsteadOf(let eldest): leave(eldest)
        case .admitted: break
        }
        guests[id] = Guest(source: source, isPrivileged: isPrivileged, idleSince: now)
        networks[source.network, default: Members()].ids[source, default: []].insert(id)
        networks[source.network]?.count += 1
        if isPrivileged { privileged += 1 }
        return decision
    }

    /// A whole request has arrived.
    package mutating func beginRequest(_ id: Int) { guests[id]?.idleSince = nil }

    /// The server has finished its answer.
    package mutating func endRequest(_ id: Int, now: ContinuousClock.Instant) { guests[id]?.idleSince = now }

    /// The request was refused, and only the rest of its body is expected: the connection may be closed at
    /// once.
    package mutating func refuseRequest(_ id: Int, now: ContinuousClock.Instant) {
        guard let network = guests[id]?.source.network else { return }
        guests[id]?.idleSince = now - ConnectionLimits.patience
        networks[network]?.patience = nil
        patience = nil
    }

    /// The connection is closed.
    package mutating func leave(_ id: Int) {
        guard let guest = guests.removeValue(forKey: id) else { return }
        let (source, network) = (guest.source, guest.source.network)
        networks[network]?.count -= 1
        networks[network]?.ids[source]?.remove(id)
        if networks[network]?.ids[source]?.isEmpty == true { networks[network]?.ids[source] = nil }
        if networks[network]?.count == 0 { networks[network] = nil }
        if guest.isPrivileged { privileged -= 1 }
    }

    private mutating func decide(
        _ source: Source, isPrivileged: Bool, at now: ContinuousClock.Instant
    ) -> Decision {
        let near = networks[source.network]
        let own = near?.ids[source] ?? []
        if !isPrivileged, own.count >= limits.share {
            return insteadOfIdle([own], network: source.network, at: now)
        }
        if !isPrivileged, let near, near.count >= limits.networkShare {
            let crowd = near.ids.values.max { $0.count < $1.count } ?? []
            if crowd.count > own.count + 1, let id = eldest([crowd])?.id { return .admittedInsteadOf(id) }
            return insteadOfIdle(Array(near.ids.values), network: source.network, at: now)
        }
        let alike = isPrivileged ? privileged : guests.count - privileged
        let isKindFull = alike >= limits.total - limits.reserve
        guard isKindFull || guests.count >= limits.total else { return .admitted }
        // Networks with most connections give way to those with fewer, so a flood displaces only itself.
        let kind = isKindFull ? isPrivileged : nil
        let crowds = networks.values.filter { $0.count > (near?.count ?? 0) + 1 && mayGiveWay($0, kind) }
        if let id = crowds.max(by: { $0.count < $1.count }).flatMap({ eldest($0.ids.values)?.id })
            ?? eldest(crowds.flatMap(\.ids.values))?.id
        {
            return .admittedInsteadOf(id)
        }
        if let near, mayGiveWay(near, kind) {
            return insteadOfIdle(Array(near.ids.values), network: source.network, at: now)
        }
        return insteadOfEldest(kind, now)
    }

    /// Whether closing one of these makes room. If a kind (privileged or not) has all that it may have, only
    /// its own connections do; otherwise those of a kind that has more than its reserve.
    private func mayGiveWay(_ members: Members, _ kind: Bool?) -> Bool {
        guard let isPrivileged = members.ids.first?.value.first.flatMap({ guests[$0]?.isPrivileged }) else {
            return false
        }
        if let kind { return isPrivileged == kind }
        return !isPrivileged || privileged > limits.reserve
    }

    /// The eldest of these gives way, if it has been idle long enough. If none has, `patience` remembers it,
    /// so that a flood is refused without another search.
    private mutating func insteadOfIdle(
        _ sets: [Set<Int>], network: Network, at now: ContinuousClock.Instant
    ) -> Decision {
        if let patience = networks[network]?.patience, now < patience { return .refused }
        guard let eldest = eldest(sets) else { return .refused }
        let ripe = eldest.since + ConnectionLimits.patience
        guard ripe <= now else {
            // Only a search through all sources of the network may be remembered for the network.
            if sets.count == networks[network]?.ids.count { networks[network]?.patience = ripe }
            return .refused
        }
        return .admittedInsteadOf(eldest.id)
    }

    /// If no network has more connections than the newcomer would have, the eldest of all gives way.
    private mutating func insteadOfEldest(_ kind: Bool?, _ now: ContinuousClock.Instant) -> Decision {
        if let patience, now < patience { return .refused }
        let givers = networks.values.filter { mayGiveWay($0, kind) }
        guard let eldest = eldest(givers.flatMap(\.ids.values)) else { return .refused }
        let ripe = eldest.since + ConnectionLimits.patience
        guard ripe > now else { return .admittedInsteadOf(eldest.id) }
        if givers.count == networks.count { patience = ripe }
        return .refused
    }

    /// The connection that has been idle longest.
    private func eldest(_ sets: some Sequence<Set<Int>>) -> (id: Int, since: ContinuousClock.Instant)? {
        var found: (id: Int, since: ContinuousClock.Instant)?
        for set in sets {
            for id in set {
                guard let since = guests[id]?.idleSince else { continue }
                if let found, found.since <= since { continue }
                found = (id, since)
            }
        }
        return found
    }
}
