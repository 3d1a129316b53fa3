// SPDX-License-Identifier: Apache-2.0
// What an administrator should know of a PostgreSQL database that is used all the same.

/// A warning; the program makes a sentence of it.
package enum PostgresWarning: Sendable {
    /// A connection failed, for this reason without a full stop.
    case cannotConnect(String)
    /// The database's clock began to be this many seconds ahead of this machine's, or behind if negative:
    /// `Limits.clockDifference` or more.
    case clock(Int64)
    /// There is a standby that commits do not wait for.
    case laggingStandby
}
