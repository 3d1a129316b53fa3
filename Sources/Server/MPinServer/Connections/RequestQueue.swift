// SPDX-License-Identifier: Apache-2.0
// The request queue: in which order requests use what they share, the processors and the database.
import Synchronization

/// How many requests are handled at a time. More would only wait for the database, in the order of their
/// arrival, where a flood would be ahead of everybody else.
package struct RequestLimits: Equatable, Sendable {
    let total: Int
    /// How many are reserved for root and the relays.
    let reserve = 2
    /// The most of one source.
    let share: Int

    package init(processors: Int) {
        total = max(1, processors) + 6
        share = max(4, total / 2)
    }
}

/// Start-time fair queueing: each source has a virtual time, which each of its requests advances by one, and
/// the waiting request with the earliest time is next. The time of a network advances by a quarter, so all
/// its sources together get four turns for one of another source. The times of root and the relays advance by
/// an eighth.
package final class RequestQueue: Sendable {
    private struct Waiting {
        let client: ServedClient
        let time: Double
        let start: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Waiting] = []
        var working = 0
        var unprivileged = 0
        var shares: [Source: Int] = [:]
        /// The virtual times of sources and networks; those before `now` do not matter.
        var times: [Source: Double] = [:]
        var now = 0.0
    }

    /// The request that this task works on.
    @TaskLocal private static var current: (queue: RequestQueue, client: ServedClient)?

    private let limits: RequestLimits
    private let state = Mutex(State())

    package init(_ limits: RequestLimits) { self.limits = limits }

    /// Runs `work` when it is this client's turn.
    package func run<R: Sendable>(
        for client: ServedClient, _ work: @Sendable () async -> R
    ) async -> R {
        await waitForTurn(client)
        defer { end(client) }
        return await RequestQueue.$current.withValue((self, client)) { await work() }
    }

    /// Waits for something outside this program; other requests are handled meanwhile.
    package static func suspended<R: Sendable>(
        _ wait: @Sendable () async throws -> R
    ) async rethrows -> R {
        guard let (queue, client) = current else { return try await wait() }
        queue.end(client)
        let result: R
        do { result = try await wait() } catch {
            await queue.waitForTurn(client)
            throw error
        }
        await queue.waitForTurn(client)
        return result
    }

    private func waitForTurn(_ client: ServedClient) async {
        await withCheckedContinuation { continuation in add(client) { continuation.resume() } }
    }

    /// Calls `start` when it is this client's turn, which lasts until `end`.
    package func add(_ client: ServedClient, start: @escaping @Sendable () -> Void) {
        let source = client.source
        let step = client.isPrivileged ? 0.125 : 1
        startNext { state in
            let network = max(state.now, state.times[client.network] ?? 0)
            let time = max(network, state.times[source] ?? 0)
            state.waiting.append(Waiting(client: client, time: time, start: start))
            state.times[client.network] = network + min(step, 0.25)
            // Last, because an account is its own network.
            state.times[source] = time + step
        }
    }

    /// Ends a turn of this client's.
    package func end(_ client: ServedClient) {
        startNext { state in
            state.working -= 1
            if !client.isPrivileged { state.unprivileged -= 1 }
            let left = (state.shares[client.source] ?? 1) - 1
            state.shares[client.source] = left > 0 ? left : nil
        }
    }

    private func startNext(after change: (inout State) -> Void) {
        let begun = state.withLock { state in
            change(&state)
            var begun: [Waiting] = []
            while let next = takeNext(&state) { begun.append(next) }
            return begun
        }
        for one in begun { one.start() }
    }

    /// The request whose turn begins now; nil if none can begin.
    private func takeNext(_ state: inout State) -> Waiting? {
        guard state.working < limits.total else { return nil }
        let allowed = state.waiting.indices.filter { index in
            let client = state.waiting[index].client
            return client.isPrivileged
                || state.unprivileged < limits.total - limits.reserve
                    && state.shares[client.source] ?? 0 < limits.share
        }
        // Of equal times the one that has waited longest.
        guard let first = allowed.min(by: { state.waiting[$0].time < state.waiting[$1].time }) else {
            return nil
        }
        let next = state.waiting.remove(at: first)
        state.now = max(state.now, next.time)
        state.working += 1
        if !next.client.isPrivileged { state.unprivileged += 1 }
        state.shares[next.client.source, default: 0] += 1
        if state.waiting.isEmpty || state.times.count > 8192 {
            state.times = state.times.filter { [now = state.now] in $0.value > now }
        }
        return next
    }
}
