// SPDX-License-Identifier: Apache-2.0
// The storage operations for one-time passwords.
package import Octets

/// Hosts' questions about one-time passwords, each of which can be used once.
package protocol OneTimePasswordStorage: Sendable {
    /// Counts a host's question as a wrong try of each live password of its ids, and returns these passwords,
    /// as sealed by mpind, in the order of the ids. An id has nil if it has no live password, or if the
    /// question is beyond the fifth from its source or the fiftieth in all. The try stays wrong until
    /// `matchOTP`.
    func askOTPs(_ question: OTPQuestion) async throws(StorageError) -> [[UInt8]?]

    /// Notes that the user typed the password `sealed` of `id` in answer to the question `a`.
    func matchOTP(a: QuestionHash, id: IdentityHash, sealed: [UInt8]) async throws(StorageError)

    /// Removes the question `a` about `id` and uses up the password that was typed, if it is still live. Nil
    /// if there is no such question.
    func settleOTP(a: QuestionHash, id: IdentityHash) async throws(StorageError) -> OTPSettlement?
}
