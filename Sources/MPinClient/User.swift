// SPDX-License-Identifier: Apache-2.0
// A user of this client, as a value.

/// One registration of one identity at one backend, as it was when a call returned it.
///
/// The list that the client keeps in its storages counts, not the value: a call looks the user up there by
/// identity, backend and M-Pin ID, goes by the state it finds, and returns the new value. A value of a user
/// who was deleted, or registered anew since, names nobody; a call with it throws ``Status/flowError``.
public struct User: Equatable, Hashable, Sendable {
    /// Who the user is to the server, an e-mail address for example.
    public let identity: String
    /// The backend's URL without scheme and final slash, as it names the user's place in the storages.
    public let backend: String
    /// What the user calls this device; may be empty.
    public let deviceName: String
    /// How far the registration is.
    public let state: UserState
    /// What the server named this registration, octet by octet; empty while ``UserState/invalid``.
    public let mpinID: [UInt8]
}
