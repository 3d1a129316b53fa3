// SPDX-License-Identifier: Apache-2.0
// What can go wrong in the protocol.

/// An error of the mathematics; the comments name Milagro's result codes where there are any.
package enum MPinError: Error, Equatable {
    /// Octets that are no point of their group, or a hash or date that names none (result code -14).
    case invalidPoint
    /// Octets that are no multiplier, or a PIN that its rule cannot take.
    case invalidScalar
    /// A result that must never be sent or kept: the point at infinity.
    case infinity
    case outOfMemory
    case noRandomness
}
