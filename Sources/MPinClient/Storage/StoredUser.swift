// SPDX-License-Identifier: Apache-2.0
// What another program may take over from a client's two storages: whoever is registered, with the token.
package import MPin
import MPinWire
import Octets
import Secrets

/// One registration of the two storages, and what it is proved with.
package struct StoredUser: Equatable, Sendable {
    /// The backend's URL without its scheme.
    package let backend: String
    /// Who the user is to the server.
    package let identity: String
    /// What the server named the registration.
    package let mpinID: [UInt8]
    /// `milagroString` for those of Milagro's core.
    package let rule: PINRule
    /// Registered by this library, with a server whose challenges say what they are for.
    package let isBound: Bool
    /// False: there is no token to take.
    package let isRegistered: Bool
    private let digits: String
    private let keyDigits: String

    init(_ record: StoredRecord) {
        (backend, identity, mpinID) = (record.backend, record.identity, record.mpinID)
        (rule, isBound, digits) = (record.rule, record.isBound, record.token)
        keyDigits = record.deviceKey
        isRegistered = record.state == .registered && !record.token.isEmpty
    }

    /// nil: what stands there is none.
    package func token() -> Token? { try? MPinClient.token(fromHex: digits) }

    /// nil: the registration is not bound, or has lost its key.
    package func deviceKey() -> DeviceKey? { MPinClient.deviceKey(fromHex: keyDigits) }
}

/// Everybody in the two storages.
package func storedUsers(secure: any Storage, plain: any Storage) throws(Failure) -> [StoredUser] {
    try UserStore(secure: secure, plain: plain).records().map(StoredUser.init)
}

/// The token of its 130 hexadecimal digits.
func token(fromHex digits: String) throws(Failure) -> Token {
    guard var point = octets(fromHex: [UInt8](digits.utf8)) else {
        throw Failure(.cryptoError, "the token is missing, or none")
    }
    defer { for index in point.indices { point[index] = 0 } }
    do throws(MPinError) { return try Token(secret(point)) } catch { throw Failure(error) }
}

private func secret(_ octets: [UInt8]) throws(MPinError) -> Secret {
    do { return try Secret(copying: unsafe octets.span.bytes) } catch { throw .outOfMemory }
}
