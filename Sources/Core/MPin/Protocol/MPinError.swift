// SPDX-License-Identifier: Apache-2.0
// The errors of the protocol's mathematics.

/// An error of the protocol's mathematics. The comments name Milagro's result codes where they exist.
package enum MPinError: Error, Equatable {
    /// The octets are not a point of their group, or a hash or date is invalid (result code -14).
    case invalidPoint
    /// The octets are not a valid scalar, or the PIN does not suit its rule.
    case invalidScalar
    /// The result is the point at infinity, which must never be sent or stored.
    case infinity
    case outOfMemory
    case noRandomness
}
