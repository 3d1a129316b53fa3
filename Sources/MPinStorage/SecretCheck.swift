// SPDX-License-Identifier: Apache-2.0
// What a database knows about the secrets that it is used with.

/// A check value of a secret of the server: it identifies the secret and reveals nothing else about it.
package struct SecretCheck: Equatable, Sendable {
    /// Which secret it is, and of which epoch.
    package let name: String
    /// An HMAC under the secret, 32 octets or more.
    package let value: [UInt8]

    /// Takes the two values.
    package init(name: String, value: [UInt8]) { (self.name, self.value) = (name, value) }
}
