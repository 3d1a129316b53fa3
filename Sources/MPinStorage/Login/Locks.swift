// SPDX-License-Identifier: Apache-2.0
// Wrong tries in a row, and the locks that they bring.

/// By default what every server has; an administrator may only make it stricter.
package struct Locks: Equatable, Sendable {
    /// A row of wrong tries is forgotten a day after its last one, so no lock is nearly as long.
    package static let longestOfAll = 12 * Limits.hour

    /// Wrong tries in a row, by one identity from one source or by one second device, before the first lock.
    package var after: Int64 = 3
    /// The first lock; each one after it is twice as long as the one before, up to `longest`.
    package var first = Limits.minute
    package var longest = Limits.hour

    package init() {}

    /// How long the lock lasts that the `failures`-th wrong try in a row brings: 1, 2, 4 ... 60 minutes, and
    /// nothing before the third, by default.
    package func lock(afterFailures failures: Int64) -> UnixMilliseconds {
        guard failures >= after else { return 0 }
        let doublings = min(failures - after, 10)
        return min(first << doublings, longest)
    }

    /// Tries that remain before the next lock when `failures` stand counted.
    package func triesLeft(afterFailures failures: Int64) -> UInt16 { UInt16(clamping: after - failures) }
}
