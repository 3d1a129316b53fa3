// SPDX-License-Identifier: Apache-2.0
// What another program may import from a client's two storages: the registered users with their tokens.
package import MPin
import MPinWire
import Octets
import Secrets

/// One registration of the two storages, with its token and device key.
package struct StoredUser: Equatable, Sendable {
    /// The backend's URL without its scheme.
    package let backend: String
    /// The name by which the server knows the user.
    package let identity: String
    /// The server's name of the registration, JSON.
    package let mpinID: [UInt8]
    /// The rule that turns the PIN into a factor; `milagroString` for registrations of Milagro's core.
    package let rule: PINRule
    /// Whether this library registered the user, at a server whose challenges are bound to a purpose.
    package let isBound: Bool
    /// Whether there is a token.
    package let isRegistered: Bool
    private let digits: String
    private let keyDigits: String

    init(_ record: StoredRecord) {
        (backend, identity, mpinID) = (record.backend, record.identity, record.mpinID)
        (rule, isBound, digits) = (record.rule, record.isBound, record.token)
        keyDigits = record.deviceKey
        isRegistered = record.state == .registered && !record.token.isEmpty
    }

    /// nil if the stored token is invalid.
    package func token() -> Token? { try? MPinClient.token(fromHex: digits) }

    /// nil if the registration is not bound, or has lost its key.
    package func deviceKey() -> DeviceKey? { MPinClient.deviceKey(fromHex: keyDigits) }
}

/// All users in the two storages.
package func storedUsers(secure: any Storage, plain: any Storage) throws(ClientFailure) -> [StoredUser] {
    try UserStore(secure: secure, plain: plain).records().map(StoredUser.init)
}

/// Reads a token from 130 hexadecimal digits.
func token(fromHex digits: String) throws(ClientFailure) -> Token {
    guard var point = octets(fromHex: [UInt8](digits.utf8)) else {
        throw ClientFailure(.cryptoError, "the token is missing or invalid")
    }
    defer { for index in point.indices { point[index] = 0 } }
    do throws(MPinError) { return try Token(secret(point)) } catch { throw ClientFailure(error) }
}

private func secret(_ octets: [UInt8]) throws(MPinError) -> Secret {
    do { return try Secret(copying: unsafe octets.span.bytes) } catch { throw .outOfMemory }
}
