// SPDX-License-Identifier: Apache-2.0
// The storage operations for the verdict on a pass 2.

/// Verdicts, each written once and redeemed once.
package protocol VerdictStorage: Sendable {
    /// Writes the verdict, which can be redeemed within 60 seconds. A good one clears the count of id and
    /// source and notes the login. A try that never gets here stays counted as wrong.
    ///
    /// - Parameter warning: the record for the audit trail if this is the 50th wrong try of strange sources.
    func finishVerification(_ verdict: VerdictRecord, warning: AuditEvent?) async throws(StorageError)

    /// Uses up a ticket (authOTT) once, within its life and for its own purpose; otherwise it returns nil and
    /// changes nothing. A refused login that was to change a PIN can also be redeemed as a plain `question`
    /// with the same hash A.
    ///
    /// - Parameter event: makes the record for the audit trail, which is written in the same transaction; nil
    ///   writes none. The closure may run more than once.
    func redeem(
        authOTTHash: TicketHash, purpose: VerdictPurpose,
        recording event: @escaping @Sendable (Redemption) -> AuditEvent?
    ) async throws(StorageError) -> Redemption?

    /// The same for a plain login to an external RPA. Such an RPA checks the one-time password itself, so
    /// none is made valid here.
    func redeemForExternalRPA(authOTTHash: TicketHash) async throws(StorageError) -> Redemption?

    /// Uses up a ticket that was made for any session; the verdict's purpose names the session's wid.
    func redeemForSession(authOTTHash: TicketHash) async throws(StorageError) -> Redemption?

    /// Uses up a ticket that was made for any application's session.
    func redeemForApplication(authOTTHash: TicketHash) async throws(StorageError) -> Redemption?

    /// Remembers for a minute that an RPA has redeemed this ticket and will report the result of its login.
    func awaitResult(authOTTHash: TicketHash) async throws(StorageError)

    /// Forgets what `awaitResult` noted; true the first time.
    func takeResult(authOTTHash: TicketHash) async throws(StorageError) -> Bool
}

extension VerdictStorage {
    /// `finishVerification` without a warning.
    package func finishVerification(_ verdict: VerdictRecord) async throws(StorageError) {
        try await finishVerification(verdict, warning: nil)
    }

    /// `redeem` without a record for the audit trail.
    package func redeem(
        authOTTHash: TicketHash, purpose: VerdictPurpose
    ) async throws(StorageError) -> Redemption? {
        try await redeem(authOTTHash: authOTTHash, purpose: purpose, recording: { _ in nil })
    }
}
