// SPDX-License-Identifier: Apache-2.0
// Times by a database's clock, and how far that clock may differ.

/// A time by the database's clock: milliseconds since 1970-01-01 UTC.
package typealias UnixMilliseconds = Int64

/// From this difference on between the clocks of the database and of this machine, nothing may begin that
/// depends on the time: no login, and no issue of a client secret, host key or time permit.
package let longestClockDifference: UnixMilliseconds = 60_000
