// SPDX-License-Identifier: Apache-2.0
// The error of a failed lookup in the passwd or group database.

/// The database could not be read; this never means "no such account".
package struct AccountError: Error, Equatable, Sendable {
    package let errno: Int32

    package init(errno: Int32) { self.errno = errno }
}
