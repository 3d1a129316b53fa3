// SPDX-License-Identifier: Apache-2.0
// The challenge y, which binds a proof to one identity, one U and one purpose (seal.md, section 4).
package import Octets
import Pairing
import Secrets

/// The purpose X of a proof that is for the device itself; such a proof opens no session.
package let noPurpose = PurposeHash.zero

extension PurposeHash {
    /// The purpose of a proof that answers a host's sealed question.
    package init(_ question: QuestionHash) { self.init(meaning: question) }
}

/// y, never zero. `u` has 65 octets, `ut` 65 or none; `purpose` is A of the sealed question,
/// `ApprovalDetails.purpose`, or `noPurpose`.
/// `malformed` for other lengths, and for the one n in 2^253 that would give zero.
package func challenge(
    n: ServerNonce, id: IdentityHash, u: [UInt8], ut: [UInt8], purpose: PurposeHash
) throws(SealFailure) -> Challenge {
    guard u.count == 65, ut.count == 65 || ut.isEmpty else { throw .malformed }
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
    return Challenge(own: octets)
}
