// SPDX-License-Identifier: Apache-2.0
// What storage does for one-time passwords.

/// Passwords that a host asks about, and that are used up once.
package protocol OneTimePasswordStorage: Sendable {
    /// Counts a host's question as a wrong try of each password that lives of these ids, and gives those, in
    /// the order of the ids. The fifth question of a source and the fiftieth of all are the last that are
    /// told. Until `matchOTP` each was wrong.
    func askOTPs(_ question: OTPQuestion) async throws(StorageError) -> [[UInt8]?]

    /// Notes that the question `a` brought the password of `id`, which is that one.
    func matchOTP(a: [UInt8], id: [UInt8], sealed: [UInt8]) async throws(StorageError)

    /// Takes the question `a` about `id` away, and uses up the password that it brought if that still lives.
    /// Nil: there was no such question.
    func settleOTP(a: [UInt8], id: [UInt8]) async throws(StorageError) -> OTPSettlement?
}
