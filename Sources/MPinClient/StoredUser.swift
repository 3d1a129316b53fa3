// SPDX-License-Identifier: Apache-2.0
// What another program may take over from a client's two storages: whoever is registered, with the token.

package struct StoredUser: Equatable, Sendable {
    /// The backend's URL without its scheme.
    package let backend: String
    package let identity: String
    package let mpinID: [UInt8]
    /// 130 hexadecimal digits.
    package let token: String
    /// As token files name it: `milagro-string` for those of Milagro's core.
    package let pinRule: String
    /// Registered by this library, whose proofs say what they are for.
    package let isBound: Bool
    /// The state is another than registered, so that there is no token to take.
    package let isIncomplete: Bool
}

/// Everybody in the two storages.
package func storedUsers(secure: any Storage, plain: any Storage) throws(Failure) -> [StoredUser] {
    try Book(secure: secure, plain: plain).records().map { record in
        StoredUser(
            backend: record.backend, identity: record.identity, mpinID: record.mpinID, token: record.token,
            pinRule: record.rule.stored, isBound: record.isBound,
            isIncomplete: record.state != .registered || record.token.isEmpty)
    }
}
