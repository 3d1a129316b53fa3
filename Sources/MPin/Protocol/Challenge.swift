// SPDX-License-Identifier: Apache-2.0
// The challenge y, which binds a proof to one identity, one U and one purpose (seal.md, section 4).
import Pairing
import Secrets

/// The purpose X of a proof that is for the device itself; such a proof opens no session.
package let noPurpose = [UInt8](repeating: 0, count: 32)

/// y as 32 octets, big-endian, below the group's order and never zero. `n` and `id` have 32 octets, `u` has
/// 65, `ut` 65 or none; `purpose` is A of the sealed question, `ApprovalDetails.purpose`, or `noPurpose`.
/// Throws `malformed` for other lengths, and if y would be zero, with a probability of about 2^-253.
package func challenge(
    n: [UInt8], id: [UInt8], u: [UInt8], ut: [UInt8], purpose: [UInt8]
) throws(SealFailure) -> [UInt8] {
    guard n.count == 32, id.count == 32, u.count == 65, ut.count == 65 || ut.isEmpty, purpose.count == 32
    else { throw .malformed }
    var writer = SealWriter("mpin y 1")
    writer.fixed(n)
    writer.fixed(id)
    writer.text(u)
    writer.text(ut)
    writer.fixed(purpose)
    let y = unsafe Scalar(reducing: sha256(writer.octets).span.bytes)
    guard !y.isZero else { throw .malformed }
    var octets = [UInt8](repeating: 0, count: Scalar.octetCount)
    var span = octets.mutableSpan
    var bytes = unsafe span.mutableBytes
    y.encode(into: &bytes)
    return octets
}
