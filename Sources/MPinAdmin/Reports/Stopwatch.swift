// SPDX-License-Identifier: Apache-2.0
// What the clocks say: the time for files, and how long a step took.
import FoundationEssentials

/// As the files of the store say it: `2026-11-21T09:30:00Z`.
func currentTime() -> [UInt8] { [UInt8](Date().formatted(.iso8601).utf8) }

/// As the server counts them in sealed messages.
func secondsSince1970() -> UInt64 { UInt64(clamping: Int(Date().timeIntervalSince1970)) }

/// Takes the time of one step after the other.
final class Stopwatch {
    struct TimedStep: Encodable {
        let step: String
        let milliseconds: Double
        /// The HTTP status, or one of the relay's own, of a call to the server.
        let status: UInt16?
    }
    private(set) var steps: [TimedStep] = []
    private var last = ContinuousClock.now

    /// What comes next is not waited for by a person.
    func restart() { last = .now }

    /// A step ends here, and the next begins.
    func lap(_ step: String, status: UInt16? = nil) {
        let now = ContinuousClock.now
        steps.append(TimedStep(step: step, milliseconds: milliseconds(now - last), status: status))
        last = now
    }

    /// To a tenth again.
    var total: Double { (steps.reduce(0) { $0 + $1.milliseconds } * 10).rounded() / 10 }
}

/// To a tenth.
private func milliseconds(_ duration: Duration) -> Double {
    ((duration / .microseconds(100)).rounded()) / 10
}
