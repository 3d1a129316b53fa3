// SPDX-License-Identifier: Apache-2.0
// Notes requests and refusals: each in the metrics, and as lines of the log, of which there is a limited
// number for each source and minute.
import MPinService
import Synchronization

final class Journal: Sendable {
    let metrics: Metrics
    private let refusals = Mutex(Refusals())

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

    /// Notes a request and its answer. `isRoutine`: only if it was refused it gets a line.
    func answered(_ request: Request, answer: Response, time: Duration, asker: Asker, isRoutine: Bool) {
        metrics.answered(answer, after: time)
        guard answer.status >= 400 || !isRoutine else { return }
        guard answer.status < 400 || note(.answer, source: asker.source, isPrivileged: asker.isPrivileged)
        else { return }
        mpind.log(
            "request",
            [
                LogField("route", answer.route.text), LogField("status", answer.status),
                LogField("ms", Int(time / .milliseconds(1))), LogField("source", request.peer.source),
                LogField("attempt", request.attempt),
            ] + answer.notes)
    }

    /// Writes the counts of minutes that are over, or all counts at the end.
    func write(isEnd: Bool = false) {
        for summary in refusals.withLock({ $0.take(now: .now, isEnd: isEnd) }) {
            mpind.log("refusals", summary.fields)
        }
    }

    private func note(_ kind: Refusals.Kind, source: Source, isPrivileged: Bool) -> Bool {
        refusals.withLock { $0.note(kind, source, isPrivileged: isPrivileged, now: .now) }
    }
}
