// SPDX-License-Identifier: Apache-2.0
// The connection limiter: how many connections there may be, and which idle one is closed for a new one.
//
// This folder and `Sources/Server/mpind/Connections` keep a flood of connections and requests from shutting
// anybody out. A connection passes them in this order:
//
// 1. `Acceptor` (mpind) takes it from the listening socket and asks the kernel who it is: a `ServedClient`
//    with its `Source`. Behind a proxy, `TrustedProxies` reads the client of each request from a header.
// 2. `ConnectionLimiter` admits it, perhaps in exchange for an idle one, or the acceptor closes it.
// 3. `HeadDeadline` (mpind) closes it if the head of a request takes too long.
// 4. `RequestQueue` decides whose request is handled next, fairly by source.
// 5. `RequestLog` (mpind) counts what was refused and answered; `LogLimiter` decides what gets a line.
//
// All four limits are by source, and by the network of the source. What is here has no sockets and takes the
// time as an argument, so tests need neither.
import Synchronization

/// How many connections there may be.
package struct ConnectionLimits: Equatable, Sendable {
    package let total: Int
    /// How many are reserved for root and the relays, and as many for all others.
    let reserve: Int
    /// The most of one source: an account, an IPv4 address, an IPv6 /64.
    let share: Int
    /// The most of an IPv6 /48, and of 127.0.0.0/8.
    let networkShare: Int

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

/// The open connections of one or more listeners, or the requests of proxies' clients. A connection is idle
/// until a whole request has arrived, and again after the answer: then the server waits for the client, and
/// may close the connection.
package final class ConnectionLimiter: Sendable {
    package enum Closing: Sendable { case atOnce, whenAnswered }
    package typealias Close = @Sendable (Closing) -> Void

    private struct Connection {
        let source: Source
        let network: Source
        let isPrivileged: Bool
        /// nil while the server works for it.
        var idleSince: ContinuousClock.Instant?
    }

    private struct State {
        var connections: [Int: Connection] = [:]
        /// How many connections sources and networks have.
        var ofSource: [Source: Int] = [:]
        var ofNetwork: [Source: Int] = [:]
        var privileged = 0
        /// When a source that was refused for its share may have a connection that can be closed for another:
        /// until then it is refused without a search.
        var ripe: [Source: ContinuousClock.Instant] = [:]
        var clients: [Int: ServedClient] = [:]
        /// How connections that are set up are closed.
        var closing: [Int: Close] = [:]
        /// Those that were closed for others, and have not ended yet.
        var displaced: Set<Int> = []
        var last = 0
        var isEnding = false

        mutating func add(_ client: ServedClient, now: ContinuousClock.Instant) -> Int {
            last += 1
            connections[last] = Connection(
                source: client.source, network: client.network, isPrivileged: client.isPrivileged,
                idleSince: now)
            clients[last] = client
            count(client, 1)
            return last
        }

        mutating func remove(_ id: Int) -> (client: ServedClient, close: Close?)? {
            connections[id] = nil
            guard let client = clients.removeValue(forKey: id) else { return nil }
            count(client, -1)
            return (client, closing.removeValue(forKey: id))
        }

        private mutating func count(_ client: ServedClient, _ step: Int) {
            let (own, near) = (ofSource[client.source] ?? 0, ofNetwork[client.network] ?? 0)
            ofSource[client.source] = own + step > 0 ? own + step : nil
            if own + step <= 0 { ripe[client.source] = nil }
            ofNetwork[client.network] = near + step > 0 ? near + step : nil
            if client.isPrivileged { privileged += step }
        }
    }

    /// A source at its limit gets a new connection only in exchange for one that has been idle this long:
    /// closing costs more than refusing.
    private static let patience = Duration.seconds(1)
    /// How many connections may be displaced and not have ended yet; each still has a descriptor.
    package static let slack = 32

    private let limits: ConnectionLimits
    private let noteDisplaced: @Sendable (ServedClient) -> Void
    private let state = Mutex(State())

    /// - Parameter noteDisplaced: is told whose connection was closed for another one.
    package init(_ limits: ConnectionLimits, noteDisplaced: @escaping @Sendable (ServedClient) -> Void) {
        self.limits = limits
        self.noteDisplaced = noteDisplaced
    }

    package var count: Int { state.withLock { $0.connections.count } }

    /// Whether one more descriptor may be opened.
    package var hasRoom: Bool {
        state.withLock {
            $0.connections.count + $0.displaced.count < limits.total + ConnectionLimiter.slack
        }
    }

    /// Admits a connection, and may close another one for it.
    /// - Returns: the connection's id; nil if it is refused.
    package func admit(_ client: ServedClient, now: ContinuousClock.Instant = .now) -> Int? {
        let (id, displaced) = state.withLock { state -> (Int?, (client: ServedClient, close: Close?)?) in
            var displaced: (client: ServedClient, close: Close?)?
            switch decide(client, state, now) {
            case .refused(let ripe):
                if state.ofSource[client.source] ?? 0 >= limits.share { state.ripe[client.source] = ripe }
                return (nil, nil)
            case .admitted: break
            case .admittedInsteadOf(let id):
                displaced = state.remove(id)
                state.displaced.insert(id)
            }
            return (state.add(client, now: now), displaced)
        }
        if let displaced {
            displaced.close?(.atOnce)
            noteDisplaced(displaced.client)
        }
        return id
    }

    /// Notes that the connection is set up, and how it is closed.
    package func attach(_ id: Int, _ close: @escaping Close) {
        let closing = state.withLock { state -> Closing? in
            guard state.connections[id] != nil else { return .atOnce }
            state.closing[id] = close
            return state.isEnding ? .whenAnswered : nil
        }
        if let closing { close(closing) }
    }

    /// A whole request has arrived: the connection is not closed for others until `endRequest`.
    package func beginRequest(_ id: Int) { setIdle(id, since: nil) }

    /// The server has finished its answer.
    package func endRequest(_ id: Int, now: ContinuousClock.Instant = .now) { setIdle(id, since: now) }

    /// The request was refused, and only the rest of its body is expected: the connection may be closed at
    /// once.
    package func refuseRequest(_ id: Int, now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            guard let source = state.connections[id]?.source else { return }
            state.connections[id]?.idleSince = now - ConnectionLimiter.patience
            state.ripe[source] = nil
        }
    }

    private func setIdle(_ id: Int, since time: ContinuousClock.Instant?) {
        state.withLock { $0.connections[id]?.idleSince = time }
    }

    /// The connection has ended.
    package func remove(_ id: Int) {
        state.withLock { state in
            _ = state.remove(id)
            state.displaced.remove(id)
        }
    }

    /// Closes idle connections now, and the others when their requests are answered.
    package func end() {
        let all = state.withLock { state in
            state.isEnding = true
            return Array(state.closing.values)
        }
        for close in all { close(.whenAnswered) }
    }
}

// MARK: Which connection is closed for a new one

extension ConnectionLimiter {
    private enum Decision {
        case admitted, admittedInsteadOf(Int)
        case refused(until: ContinuousClock.Instant)
    }

    /// Looks for the smallest group of connections that the new one would belong to and that is full.
    private func decide(
        _ client: ServedClient, _ state: State, _ now: ContinuousClock.Instant
    ) -> Decision {
        let all = state.connections
        let (own, near) = (state.ofSource[client.source] ?? 0, state.ofNetwork[client.network] ?? 0)
        let privileged = state.privileged
        func full(
            _ part: (Connection) -> Source, _ sizes: [Source: Int], _ contains: (Connection) -> Bool
        ) -> Decision {
            let new = Connection(
                source: client.source, network: client.network, isPrivileged: client.isPrivileged)
            return close(oneFor: part(new), of: all, where: contains, by: part, sizes, now)
        }
        if !client.isPrivileged, own >= limits.share {
            if let ripe = state.ripe[client.source], now < ripe { return .refused(until: ripe) }
            return full({ $0.source }, state.ofSource) { $0.source == client.source }
        }
        if !client.isPrivileged, near >= limits.networkShare {
            return full({ $0.source }, state.ofSource) { $0.network == client.network }
        }
        if (client.isPrivileged ? privileged : all.count - privileged) >= limits.total - limits.reserve {
            return full({ $0.network }, state.ofNetwork) { $0.isPrivileged == client.isPrivileged }
        }
        guard all.count >= limits.total else { return .admitted }
        return full({ $0.network }, state.ofNetwork) { !$0.isPrivileged || privileged > limits.reserve }
    }

    /// Chooses an idle connection of a full group: the eldest of the source or network that has most, so that
    /// a flood displaces only itself. If none has more than the client would have, the client's own give way,
    /// or if it has none, the eldest of all, but not within the first second.
    private func close(
        oneFor new: Source, of all: [Int: Connection], where contains: (Connection) -> Bool,
        by part: (Connection) -> Source, _ sizes: [Source: Int], _ now: ContinuousClock.Instant
    ) -> Decision {
        let own = sizes[new] ?? 0
        var first: (id: Int, size: Int, since: ContinuousClock.Instant)?
        for (id, connection) in all where contains(connection) {
            guard let since = connection.idleSince else { continue }
            let part = part(connection)
            var size = sizes[part] ?? 0
            if size <= own + 1 {
                guard own == 0 || part == new else { continue }
                size = 0
            }
            if let first, (-first.size, first.since) <= (-size, since) { continue }
            first = (id, size, since)
        }
        guard let first, first.size > 0 || now - first.since >= ConnectionLimiter.patience else {
            return .refused(until: (first?.since ?? now) + ConnectionLimiter.patience)
        }
        return .admittedInsteadOf(first.id)
    }
}
