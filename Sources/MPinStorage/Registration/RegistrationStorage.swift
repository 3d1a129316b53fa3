// SPDX-License-Identifier: Apache-2.0
// The storage operations for a registration, from PUT user to the issue of its client secret.
package import Octets

/// Pending registrations: making, renewing, confirming, issuing and dropping them.
package protocol RegistrationStorage: Sendable {
    /// Stores a registration if it is authorised; a wrong code counts against its source. A right code is
    /// tied to this identity, and the pending registration that it was tied to before is dropped. The work is
    /// the same for every userID.
    func register(
        _ request: RegistrationRequest, by authorization: Authorization
    ) async throws(StorageError) -> RegistrationOutcome

    /// The pending registration of an id, if the regOTT belongs to it; otherwise nil.
    func registration(id: IdentityHash, regOTTHash: RegistrationTicketHash) async throws(StorageError)
        -> RegistrationRecord?

    /// Gives a pending registration its full hour again (PUT user with mpinId and regOTT), but no more than a
    /// day from its creation.
    func renewRegistration(id: IdentityHash, regOTTHash: RegistrationTicketHash) async throws(StorageError)
        -> RegistrationRecord?

    /// Whether an external RPA may be asked again about this registration; counts it. False if it was asked
    /// again less than a minute ago, or five times already.
    func takeResend(id: IdentityHash, regOTTHash: RegistrationTicketHash) async throws(StorageError) -> Bool

    /// Makes a waiting registration active, if the key is the one that its RPA was given; false if there is
    /// no such registration.
    func activate(id: IdentityHash, activateKeyHash: ActivateKeyHash) async throws(StorageError) -> Bool

    /// The registrations that wait for a confirmation, oldest first.
    func waitingRegistrations() async throws(StorageError) -> [RegistrationRecord]

    /// Confirms the waiting registration, or the identity enrolled by a QR code, that belongs to `userID` and
    /// whose id begins with `prefix`. A userID alone would also confirm a registration that a stranger made
    /// under it. A confirmation records the event.
    func confirm(
        _ userID: String, idPrefix prefix: [UInt8], recording event: AuditEvent
    ) async throws(StorageError) -> Confirmation

    /// Makes the identity of an active pending registration live, revokes what the code replaces, and records
    /// the event. Returns nil if there is no such registration or the regOTT is wrong. Call it when the
    /// answer with the share is ready, before it is sent. A bound identity gets the device key of
    /// `deviceEpoch`. The activation code of an unbound identity is spent now, that of any other by its first
    /// login. Until then, for an hour, the code permits another registration, which revokes this identity: a
    /// lost answer does not cost the user the code.
    ///
    /// - Parameters:
    ///   - pushToken: the address at which the client says that it receives messages; may be empty.
    ///   - event: makes the audit event.
    func issue(
        id: IdentityHash, regOTTHash: RegistrationTicketHash, deviceEpoch: UInt32, pushToken: String,
        recording event: @escaping @Sendable (Issue) -> AuditEvent
    ) async throws(StorageError) -> Issue?

    /// Drops a registration whose client secret was not sent because the answer was lost inside the server.
    func dropRegistration(id: IdentityHash, regOTTHash: RegistrationTicketHash) async throws(StorageError)

    /// Drops a registration that has not been confirmed.
    func forgetRegistration(id: IdentityHash) async throws(StorageError)
}
