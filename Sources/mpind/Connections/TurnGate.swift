// SPDX-License-Identifier: Apache-2.0
// Where requests wait for their turn to use what they share: the processors and the database.
import MPinServer
import Synchronization

final class TurnGate: Sendable {
    private struct State {
        var turns: Turns
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0

        mutating func next() -> [CheckedContinuation<Void, Never>] {
            var next: [CheckedContinuation<Void, Never>] = []
            while let id = turns.next() {
                if let continuation = waiting.removeValue(forKey: id) { next.append(continuation) }
            }
            return next
        }
    }

    /// The turn of a request that is being worked on.
    fileprivate final class Turn: Sendable {
        let gate: TurnGate
        let asker: Asker
        private let id = Mutex(0)

        init(_ gate: TurnGate, _ asker: Asker) {
            self.gate = gate
            self.asker = asker
        }

        func take() async {
            let taken = await gate.take(asker)
            id.withLock { $0 = taken }
        }

        func end() { gate.end(id.withLock { $0 }) }
    }

    @TaskLocal fileprivate static var turn: Turn?

    private let state: Mutex<State>

    init(_ limits: TurnLimits) { state = Mutex(State(turns: Turns(limits))) }

    /// Runs `work` when it is this asker's turn.
    func inTurn<R: Sendable>(_ asker: Asker, _ work: @Sendable () async -> R) async -> R {
        let turn = Turn(self, asker)
        await turn.take()
        defer { turn.end() }
        return await TurnGate.$turn.withValue(turn) { await work() }
    }

    /// Waits for something outside this program and gives up the turn meanwhile.
    static func withoutTurn<R: Sendable>(_ wait: @Sendable () async throws -> R) async rethrows -> R {
        guard let turn else { return try await wait() }
        turn.end()
        let result: R
        do { result = try await wait() } catch {
            await turn.take()
            throw error
        }
        await turn.take()
        return result
    }

    private func take(_ asker: Asker) async -> Int {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withCheckedContinuation { continuation in
            let next = state.withLock { state in
                state.waiting[id] = continuation
                state.turns.wait(id, asker.source, isPrivileged: asker.isPrivileged)
                return state.next()
            }
            for one in next { one.resume() }
        }
        return id
    }

    private func end(_ id: Int) {
        let next = state.withLock { state in
            state.turns.end(id)
            return state.next()
        }
        for one in next { one.resume() }
    }
}
