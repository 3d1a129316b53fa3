// SPDX-License-Identifier: Apache-2.0
// The lines of the log: one for each request, but a limited number of refusals for each source and minute.
import MPinService
import Synchronization

final class Journal: Sendable {
    private let refusals = Mutex(Refusals())

    /// Logs a connection that was refused or closed.
    func refused(
        _ kind: Refusals.Kind, source: Source, isPrivileged: Bool, because reason: String? = nil
    ) {
        guard note(kind, source: source, isPrivileged: isPrivileged) else { return }
        mpind.log(
            "refused", [LogField("source", source.network.text), LogField("why", kind.rawValue)],
            sentence: reason ?? "")
    }

    /// Logs a request and its answer.
    func answered(_ request: Request, answer: Response, time: Duration, asker: Asker) {
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
