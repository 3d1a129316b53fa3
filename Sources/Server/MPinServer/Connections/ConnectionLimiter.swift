// SPDX-License-Identifier: Apache-2.0
// The connection limiter: how many connections there may be, and which idle one is closed for a new one.
//
// This folder and `Sources/Server/mpind/Connections` keep a flood of connections and requests from shutting anybody
// out. A connection passes them in this order:
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
        let client: ServedClient
        /// nil while the server works for it.
        var idleSince: ContinuousClock.Instant?
        /// nil until the connection is set up.
        var close: Close?
    }

    private struct State {
        var connections: [Int: Connection] = [:]
        /// Those that were closed for others, and have not ended yet.
        var displaced: Set<Int> = []
        var last = 0
        var isEnding = false
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
        let (id, displaced) = state.withLock { state -> (Int?, Connection?) in
            var displaced: Connection?
            switch decide(client, state.connections, now) {
            case .refused: return (nil, nil)
            case .admitted: break
            case .admittedInsteadOf(let id):
                displaced = state.connections.removeValue(forKey: id)
                state.displaced.insert(id)
            }
            state.last += 1
            state.connections[state.last] = Connection(client: client, idleSince: now)
            return (state.last, displaced)
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
            state.connections[id]?.close = close
            if state.connections[id] == nil { return .atOnce }
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
        setIdle(id, since: now - ConnectionLimiter.patience)
    }

    private func setIdle(_ id: Int, since time: ContinuousClock.Instant?) {
        state.withLock { $0.connections[id]?.idleSince = time }
    }

    /// The connection has ended.
    package func remove(_ id: Int) {
        state.withLock { state in
            state.connections[id] = nil
            state.displaced.remove(id)
        }
    }

    /// Closes idle connections now, and the others when their requests are answered.
    package func end() {
        let all = state.withLock { state in
            state.isEnding = true
            return state.connections.values.compactMap(\.close)
        }
        for close in all { close(.whenAnswered) }
    }
}

// MARK: Which connection is closed for a new one

extension ConnectionLimiter {
    private enum Decision { case admitted, admittedInsteadOf(Int), refused }

    /// Looks for the smallest group of connections that the new one would belong to and that is full.
    private func decide(
        _ client: ServedClient, _ all: [Int: Connection], _ now: ContinuousClock.Instant
    ) -> Decision {
        var (own, near, alike) = (0, 0, 0)
        for other in all.values {
            if other.client.source == client.source { own += 1 }
            if other.client.network == client.network { near += 1 }
            if other.client.isPrivileged == client.isPrivileged { alike += 1 }
        }
        func full(by part: (ServedClient) -> Source, _ contains: (ServedClient) -> Bool) -> Decision {
            close(oneFor: client, of: all, where: contains, by: part, now)
        }
        if !client.isPrivileged, own >= limits.share {
            return full(by: { $0.source }) { $0.source == client.source }
        }
        if !client.isPrivileged, near >= limits.networkShare {
            return full(by: { $0.source }) { $0.network == client.network }
        }
        if alike >= limits.total - limits.reserve {
            return full(by: { $0.network }) { $0.isPrivileged == client.isPrivileged }
        }
        guard all.count >= limits.total else { return .admitted }
        let privileged = client.isPrivileged ? alike : all.count - alike
        return full(by: { $0.network }) { !$0.isPrivileged || privileged > limits.reserve }
    }

    /// Chooses an idle connection of a full group: the eldest of the source or network that has most, so that
    /// a flood displaces only itself. If none has more than the client would have, the client's own give way,
    /// or if it has none, the eldest of all, but not within the first second.
    private func close(
        oneFor client: ServedClient, of all: [Int: Connection], where contains: (ServedClient) -> Bool,
        by part: (ServedClient) -> Source, _ now: ContinuousClock.Instant
    ) -> Decision {
        var sizes: [Source: Int] = [:]
        var idle: [(id: Int, part: Source, since: ContinuousClock.Instant)] = []
        for (id, connection) in all where contains(connection.client) {
            sizes[part(connection.client), default: 0] += 1
            if let since = connection.idleSince { idle.append((id, part(connection.client), since)) }
        }
        let own = sizes[part(client)] ?? 0
        let largest = idle.reduce(0) { max($0, sizes[$1.part] ?? 0) }
        let isLarger = largest > own + 1
        let candidates = idle.filter { one in
            isLarger ? sizes[one.part] == largest : own == 0 || one.part == part(client)
        }
        guard let eldest = candidates.min(by: { $0.since < $1.since }),
            isLarger || now - eldest.since >= ConnectionLimiter.patience
        else { return .refused }
        return .admittedInsteadOf(eldest.id)
    }
}
