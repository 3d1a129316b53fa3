// SPDX-License-Identifier: Apache-2.0
// The map from an identity, with or without a date, to a point of G1.
package import Octets
import Pairing
import Secrets

extension FixedOctets where size == 32 {
    /// SHA-256 of `octets`.
    package init(sha256 octets: [UInt8]) { self = Self(own: Secrets.sha256(octets)) }
}

/// What the D-TA is asked for and what names a user everywhere ("id"): SHA-256 of the M-Pin ID's octets.
package func identityHash(_ mpinID: [UInt8]) -> IdentityHash { IdentityHash(sha256: mpinID) }

/// A = map(hash).
func identityPoint(_ hash: IdentityHash) -> G1 { G1(hashing: hash.octets) }

/// A_T = map(SHA-256(be32(date) || hash)). `date` counts days since 1970-01-01 and must be positive as a
/// signed number of 32 bits. Milagro's cores take any other date for "no time permit", and a permit for such
/// a date would be the client secret itself.
func datedPoint(_ hash: IdentityHash, _ date: UInt32) throws(MPinError) -> G1 {
    guard date > 0, date <= UInt32(Int32.max) else { throw .invalidPoint }
    return G1(hashing: sha256(bigEndian(date) + hash.octets))
}
