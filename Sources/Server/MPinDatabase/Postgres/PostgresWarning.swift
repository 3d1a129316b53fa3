// SPDX-License-Identifier: Apache-2.0
// What an administrator should know of a PostgreSQL database that is used all the same.

/// A warning; the program makes a sentence of it.
package enum PostgresWarning: Sendable {
    /// A connection failed, for this reason without a full stop.
    case cannotConnect(String)
    /// The database's clock began to differ from this machine's by `longestClockDifference` or more; the
    /// difference as `clockDifference` words it.
    case clock(String)
    /// There is a standby that commits do not wait for.
    case laggingStandby
}
