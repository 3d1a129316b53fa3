// SPDX-License-Identifier: Apache-2.0
// What a database knows about the secrets that it is used with.

/// A check value of a secret of the server: it identifies the secret and reveals nothing else about it.
struct SecretCheck: Equatable, Sendable {
    /// Which secret it is, and of which epoch.
    let name: String
    /// An HMAC under the secret, 32 octets or more.
    let value: [UInt8]
}
