// SPDX-License-Identifier: Apache-2.0
// Why a PostgreSQL database could not be opened.

/// What the opening of a database throws.
package enum PostgresFailure: Error {
    case storage(StorageError)
    /// For the administrator: words of ours, of libpq or of the server, without a full stop.
    case reason(String)
}
