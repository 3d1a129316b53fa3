// SPDX-License-Identifier: Apache-2.0
// Notes requests and refusals: each in the metrics, and as lines of the log, of which there is a limited
// number for each source and minute.
import MPinServer
import Synchronization

final class Journal: Sendable {
    let metrics: Metrics
    private let refusals = Mutex(Refusals())
    /// Of answers to requests that needed no proof.
    private let requests = Mutex(Refusals())

    /// Which answers that are no refusals get lines.
    enum Lines {
        case all
        /// Those to requests that showed what strangers do not have; of the others a limited number.
        case proven
        case none
    }

    init(_ metrics: Metrics) { self.metrics = metrics }

    /// Notes a connection that was refused or closed.
    func refused(
        _ kind: Refusals.Kind, source: Source, isPrivileged: Bool, because reason: String? = nil
    ) {
        metrics.refused(kind)
        guard note(kind, source: source, isPrivileged: isPrivileged) else { return }
        mpind.log(
            "refused", [LogField("source", source.network.text), LogField("why", kind.rawValue)],
            sentence: reason ?? "")
    }

    /// Notes a request and its answer.
    func answered(_ request: Request, answer: Response, time: Duration, asker: Asker, lines: Lines) {
        metrics.answered(answer, after: time)
        guard hasLine(answer, of: asker, lines) else { return }
        mpind.log(
            "request",
            [
                LogField("route", answer.route.text), LogField("status", answer.status),
                LogField("ms", Int(time / .milliseconds(1))), LogField("source", request.peer.source),
                LogField("attempt", request.attempt),
            ] + answer.notes)
    }

    private func hasLine(_ answer: Response, of asker: Asker, _ lines: Lines) -> Bool {
        guard answer.status < 400 else {
            return note(.answer, source: asker.source, isPrivileged: asker.isPrivileged)
        }
        switch lines {
        case .all: return true
        case .none: return false
        case .proven:
            return answer.isProven
                || requests.withLock {
                    $0.note(.answer, asker.source, isPrivileged: asker.isPrivileged, now: .now)
                }
        }
    }

    /// Writes the counts of minutes that are over, or all counts at the end.
    func write(isEnd: Bool = false) {
        for summary in refusals.withLock({ $0.take(now: .now, isEnd: isEnd) }) {
            mpind.log("refusals", summary.fields)
        }
        for summary in requests.withLock({ $0.take(now: .now, isEnd: isEnd) }) {
            mpind.log("requests", summary.fields)
        }
    }

    private func note(_ kind: Refusals.Kind, source: Source, isPrivileged: Bool) -> Bool {
        refusals.withLock { $0.note(kind, source, isPrivileged: isPrivileged, now: .now) }
    }
}
