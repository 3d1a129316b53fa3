// SPDX-License-Identifier: Apache-2.0
// What storage does for a registration, from PUT user to the issue of its client secret.

/// Registrations that wait: made, renewed, confirmed, issued or dropped.
package protocol RegistrationStorage: Sendable {
    /// Stores a registration if it is authorised; a wrong code counts against its source. A right code ties
    /// itself to this mpinId and drops the pending one that it was tied to. Same work for every userID.
    func register(
        _ request: RegistrationRequest, by authorization: Authorization
    ) async throws(StorageError) -> RegistrationOutcome

    /// The pending registration of an id, if the regOTT is its own. A wrong one changes nothing.
    func registration(id: [UInt8], regOTTHash: [UInt8]) async throws(StorageError) -> RegistrationRecord?

    /// Gives a pending registration its full hour again (PUT user with mpinId and regOTT), but no more than a
    /// day from when it was made.
    func renewRegistration(id: [UInt8], regOTTHash: [UInt8]) async throws(StorageError) -> RegistrationRecord?

    /// Makes a waiting registration active, by the key that its RPA was given; false if there is none.
    func activate(id: [UInt8], activateKeyHash: [UInt8]) async throws(StorageError) -> Bool

    /// Registrations that wait for a confirmation, the oldest first.
    func waitingRegistrations() async throws(StorageError) -> [RegistrationRecord]

    /// Confirms what `userID` has under an id that begins with `prefix`: a waiting registration, or an mpinId
    /// that was enrolled by a picture. The name alone would confirm whatever a stranger has put under it.
    func confirm(_ userID: String, idPrefix prefix: [UInt8]) async throws(StorageError) -> Confirmation

    /// Makes the mpinId of an active pending registration live, does what `replace` says and records it; nil
    /// if there is none, or the regOTT is another. To be called when the answer with the share is at hand,
    /// before it leaves. A bound mpinId gets the device key of `deviceEpoch`. The activation code of an
    /// unbound one is spent now, that of any other by its first login. Until then, for an hour, the code is
    /// good for another registration, which revokes this mpinId: so an answer that was lost costs no code.
    ///
    /// - Parameters:
    ///   - pushToken: where the client says that messages reach it; may be empty.
    ///   - event: what is recorded of it.
    func issue(
        id: [UInt8], regOTTHash: [UInt8], deviceEpoch: UInt32, pushToken: String,
        recording event: @Sendable (Issue) -> AuditEvent
    ) async throws(StorageError) -> Issue?

    /// Drops an active registration whose secret reached nobody: the answer was lost inside the server.
    func dropRegistration(id: [UInt8], regOTTHash: [UInt8]) async throws(StorageError)

    /// Drops a pending registration that nobody has confirmed.
    func forgetRegistration(id: [UInt8]) async throws(StorageError)
}
