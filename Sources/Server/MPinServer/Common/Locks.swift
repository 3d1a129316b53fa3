// SPDX-License-Identifier: Apache-2.0
// The locks that wrong tries in a row cause.
package import MPinDatabase

/// The rules of locks. An administrator can only make them stricter than the defaults.
package struct Locks: Equatable, Sendable {
    /// The upper limit of every lock: a row of wrong tries is forgotten a day after its last one, so a lock
    /// must be much shorter.
    static let longestOfAll = 12 * Limits.hour

    /// Wrong tries in a row, by one identity from one source or by one second device, before the first lock.
    package var after: Int64 = 3
    /// The first lock; each one after it is twice as long as the one before, up to `longest`.
    package var first = Limits.minute
    var longest = Limits.hour

    /// The length of the lock after `failures` wrong tries in a row, in milliseconds. By default there is
    /// none before the third, and then 1, 2, 4 ... 60 minutes.
    package func lock(afterFailures failures: Int64) -> UnixMilliseconds {
        guard failures >= after else { return 0 }
        let doublings = min(failures - after, 10)
        return min(first << doublings, longest)
    }

    /// The number of tries before the next lock, after `failures` wrong ones.
    func triesLeft(afterFailures failures: Int64) -> UInt16 { UInt16(clamping: after - failures) }
}
