// SPDX-License-Identifier: Apache-2.0
// How an identity, with or without a date, becomes a point of the first group.
import Octets
import Pairing
import Secrets

/// SHA-256 of the M-Pin ID's octets: 32 octets, what the D-TA is asked for and what names a user everywhere
/// ("id").
package func identityHash(_ mpinID: [UInt8]) -> [UInt8] { sha256(mpinID) }

/// A = map(hash) of an identity's hash of 32 octets.
func identityPoint(_ hash: [UInt8]) throws(MPinError) -> G1 {
    guard hash.count == 32 else { throw .invalidPoint }
    return G1(hashing: hash)
}

/// A_T = map(SHA-256(be32(date) || hash)); date counts days since 1970 and is positive as a signed number of
/// 32 bits. The cores take any other date for "no time permit": a permit for one would be the client secret
/// itself.
func datedPoint(_ hash: [UInt8], _ date: UInt32) throws(MPinError) -> G1 {
    guard hash.count == 32, date > 0, date <= UInt32(Int32.max) else { throw .invalidPoint }
    return G1(hashing: sha256(bigEndian(date) + hash))
}
