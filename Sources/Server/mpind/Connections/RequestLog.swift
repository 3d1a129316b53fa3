// SPDX-License-Identifier: Apache-2.0
// Notes requests and refusals: each in the metrics, and as lines of the log, of which there is a limited
// number for each source and minute.
import MPinServer
import Synchronization

final class RequestLog: Sendable {
    let metrics: Metrics
    private let refusals = Mutex(LogLimiter())
    /// Of answers to requests that needed no proof.
    private let requests = Mutex(LogLimiter())

    /// Which answers that are no refusals get lines.
    enum Lines {
        case all
        /// Those to requests that showed what strangers do not have; of the others a limited number.
        case proven
        case none
    }

    init(_ metrics: Metrics) { self.metrics = metrics }

    /// Notes a connection that was refused or closed.
    func refused(_ kind: RefusalKind, _ client: ServedClient, because reason: String? = nil) {
        metrics.refused(kind)
        guard refusals.withLock({ $0.allows(kind, client) }) else { return }
        mpind.log(
            "refused", [LogField("source", client.network.text), LogField("why", kind.rawValue)],
            sentence: reason ?? "")
    }

    /// Notes a request and its answer.
    func answered(_ request: Request, answer: Response, time: Duration, client: ServedClient, lines: Lines) {
        metrics.answered(answer, after: time)
        guard hasLine(answer, for: client, lines) else { return }
        mpind.log(
            "request",
            [
                LogField("route", answer.route.text), LogField("status", answer.status),
                LogField("ms", Int(time / .milliseconds(1))), LogField("source", request.peer.source),
                LogField("attempt", request.attempt),
            ] + answer.notes)
    }

    private func hasLine(_ answer: Response, for client: ServedClient, _ lines: Lines) -> Bool {
        if answer.status >= 400 { return refusals.withLock { $0.allows(.answer, client) } }
        switch lines {
        case .all: return true
        case .none: return false
        case .proven: return answer.isProven || requests.withLock { $0.allows(.answer, client) }
        }
    }

    /// Writes the counts of minutes that are over, or all counts at the end.
    func write(isEnd: Bool = false) {
        for fields in refusals.withLock({ $0.take(isEnd: isEnd) }) { mpind.log("refusals", fields) }
        for fields in requests.withLock({ $0.take(isEnd: isEnd) }) { mpind.log("requests", fields) }
    }
}
