// SPDX-License-Identifier: Apache-2.0
// Clocks: the current time for files and messages, and the duration of steps.
import FoundationEssentials

/// The current time in the form of the store's files: `2026-11-21T09:30:00Z`.
func currentTime() -> [UInt8] { [UInt8](Date().formatted(.iso8601).utf8) }

/// The current Unix time in seconds, as in sealed messages.
func secondsSince1970() -> UInt64 { UInt64(clamping: Int(Date().timeIntervalSince1970)) }

/// Measures the duration of successive steps.
final class Stopwatch {
    struct TimedStep: Encodable {
        let step: String
        let milliseconds: Double
        /// The HTTP status, or one of the relay's own, of a call to the server.
        let status: UInt16?
    }
    private(set) var steps: [TimedStep] = []
    private var last = ContinuousClock.now
    /// The step that `start` named and that has not ended.
    private var started: String?

    /// Starts the next step now: the time since the last one, in which the user typed, counts for no step.
    /// - Parameter step: its name, if it ends at `end()`.
    func start(_ step: String?) { (started, last) = (step, .now) }

    /// Ends the step that `start` named, and returns whether there is one.
    func end() -> Bool {
        guard let step = started else { return false }
        started = nil
        lap(step)
        return true
    }

    /// Ends a step and begins the next.
    func lap(_ step: String, status: UInt16? = nil) {
        let now = ContinuousClock.now
        steps.append(TimedStep(step: step, milliseconds: milliseconds(now - last), status: status))
        last = now
    }

    /// The sum of all steps in milliseconds, rounded to a tenth.
    var total: Double { (steps.reduce(0) { $0 + $1.milliseconds } * 10).rounded() / 10 }
}

/// Milliseconds, rounded to a tenth.
private func milliseconds(_ duration: Duration) -> Double {
    ((duration / .microseconds(100)).rounded()) / 10
}
