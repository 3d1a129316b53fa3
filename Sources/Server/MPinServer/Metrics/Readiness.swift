// SPDX-License-Identifier: Apache-2.0
// Whether this server can serve logins: what a balancer asks before it sends requests here.
import MPinDatabase
import Synchronization

/// What /ready tells about.
enum Part: String, Label {
    case database, authority, clock, listeners
    static let name: StaticString = "part"
}

/// A part that does not do its work, and why.
struct Fault: Sendable {
    let part: Part
    /// A sentence without the part's name, for administrators.
    let sentence: String
}

/// Asks database and authority when it is asked itself, but once a second at most: many questions from
/// outside cause few inside.
package actor Readiness {
    /// How long a part may take to answer.
    static let patience = Duration.seconds(2)

    private let storage: ServerDatabase
    private let authority: any Authority
    private let needsAuthority: Bool
    private let now: @Sendable () -> UnixTime
    nonisolated let metrics: Metrics
    private nonisolated let isEnding = Atomic(false)
    private var latest: (faults: [Fault], until: ContinuousClock.Instant)?
    private var asking: Task<[Fault], Never>?

    /// - Parameters:
    ///   - needsAuthority: whether the server can do nothing without it.
    ///   - now: this machine's clock.
    package init(
        storage: ServerDatabase, authority: any Authority, needsAuthority: Bool, metrics: Metrics,
        now: @escaping @Sendable () -> UnixTime = Effects.system.now
    ) {
        self.storage = storage
        self.authority = authority
        self.needsAuthority = needsAuthority
        self.metrics = metrics
        self.now = now
    }

    /// From now on this server is not ready: it takes no new connections.
    package nonisolated func end() { isEnding.store(true, ordering: .releasing) }

    /// Whether the server can work in spite of these faults. Without the authority logins go on; only
    /// enrolments and Milagro's permits wait for it. If it made the server unready, a fault of all
    /// authorities would end all logins.
    nonisolated func isReady(with faults: [Fault]) -> Bool {
        faults.allSatisfy { $0.part == .authority && !needsAuthority }
    }

    /// What is wrong with this server; empty if nothing is.
    func faults() async -> [Fault] {
        let asked = await asked()
        let faults = asked + (isEnding.load(ordering: .acquiring) ? [.ending] : [])
        metrics.noted(notReady: faults.map(\.part))
        return faults
    }

    /// The faults of what must be asked. Questions that come meanwhile wait for the same answer.
    private func asked() async -> [Fault] {
        if let latest, .now < latest.until { return latest.faults }
        if let asking { return await asking.value }
        let task = Task { await ask() }
        asking = task
        let faults = await task.value
        latest = (faults, .now + .seconds(1))
        asking = nil
        return faults
    }

    private func ask() async -> [Fault] {
        async let reached = answer { [authority] in await authority.answers() }
        let offset = await answer { [storage, now] in
            let before = now()
            let time = try await storage.clock()
            return (Double(time) - Double(before.microseconds) / 1000) / 1000
        }
        var faults: [Fault] = []
        if let offset {
            metrics.measured(clockOffset: offset)
            if abs(offset) * 1000 >= Double(longestClockDifference) { faults.append(.clock(offset)) }
        } else {
            faults.append(.silent(.database))
        }
        if await reached != true { faults.append(.silent(.authority)) }
        return faults
    }
}

extension Fault {
    fileprivate static let ending = Fault(part: .listeners, sentence: "The server is ending.")

    fileprivate static func silent(_ part: Part) -> Fault {
        Fault(part: part, sentence: "It does not answer.")
    }

    fileprivate static func clock(_ offset: Double) -> Fault {
        Fault(
            part: .clock,
            sentence: "The database's clock is \(clockDifference(Int64(offset))).")
    }
}

/// The answer of a part; nil if it throws or takes too long, in which case it goes on by itself.
private func answer<R: Sendable>(_ ask: @escaping @Sendable () async throws -> R) async -> R? {
    let (answers, taken) = AsyncStream.makeStream(of: R?.self)
    let asking = Task { taken.yield(try? await ask()) }
    let waiting = Task {
        try await Task.sleep(for: Readiness.patience)
        taken.yield(nil)
    }
    defer {
        asking.cancel()
        waiting.cancel()
    }
    for await answer in answers { return answer }
    return nil
}
