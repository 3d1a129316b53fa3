// SPDX-License-Identifier: Apache-2.0
// Times by a database's clock, and how far that clock may differ.
import Glibc

/// A time by the database's clock: milliseconds since 1970-01-01 UTC.
package typealias UnixMilliseconds = Int64

/// The time of a clock of this machine.
func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// From this difference on between the clocks of the database and of this machine, nothing may begin that
/// depends on the time: no login, and no issue of a client secret, host key or time permit.
package let longestClockDifference: UnixMilliseconds = 60_000
