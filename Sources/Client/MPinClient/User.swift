// SPDX-License-Identifier: Apache-2.0
// A user of this client, as a value.

/// One registration of one identity at one backend, as it was when a call returned it.
///
/// Calls do not rely on this value's state: they find the user in the client's storages, by identity, backend
/// and M-Pin ID, use the stored state, and return the new value. If the user was deleted or registered again
/// since, the value is outdated, and a call with it throws ``Status/flowError``.
public struct User: Equatable, Hashable, Sendable {
    /// The name by which the server knows the user, an e-mail address for example.
    public let identity: String
    /// The backend's URL without scheme and final slash, which is the backend's key in the storages.
    public let backend: String
    /// The user's name for this device; may be empty.
    public let deviceName: String
    /// The state of the registration.
    public let state: UserState
    /// The M-Pin ID, the server's name of this registration: JSON in UTF-8 (protocol 0.3); empty while
    /// ``UserState/invalid``.
    public let mpinID: [UInt8]
}
