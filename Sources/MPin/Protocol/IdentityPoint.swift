// SPDX-License-Identifier: Apache-2.0
// The map from an identity, with or without a date, to a point of G1.
import Octets
import Pairing
import Secrets

/// The identity hash: SHA-256 of the octets of `mpinId`, 32 octets. It names an identity everywhere (`id`),
/// also in requests to a trust authority.
package func identityHash(_ mpinID: [UInt8]) -> [UInt8] { sha256(mpinID) }

/// A = map(hash), for an identity hash of 32 octets.
func identityPoint(_ hash: [UInt8]) throws(MPinError) -> G1 {
    guard hash.count == 32 else { throw .invalidPoint }
    return G1(hashing: hash)
}

/// A_T = map(SHA-256(be32(date) || hash)). `date` counts days since 1970-01-01 and must be positive as a
/// signed number of 32 bits. Milagro's cores take any other date for "no time permit", and a permit for such
/// a date would be the client secret itself.
func datedPoint(_ hash: [UInt8], _ date: UInt32) throws(MPinError) -> G1 {
    guard hash.count == 32, date > 0, date <= UInt32(Int32.max) else { throw .invalidPoint }
    return G1(hashing: sha256(bigEndian(date) + hash))
}
