// SPDX-License-Identifier: Apache-2.0
// The credentials of a stored user: token and device key. Without that key's tags a try counts as a
// stranger's.
import MPin
import MPinProof
import MPinWire
import Octets

extension StoredRecord {
    /// The credential for a proof. Throws if the token is invalid, and if a bound registration has lost its
    /// device key; then nothing is sent.
    func credential() throws(ClientFailure) -> Credential {
        let key = try key()
        let id = identityHash(mpinID)
        let home = PersonalBackend(alsoOrigins: [], caFile: nil, isBound: isBound)
        let identity = Identity(
            id: id, label: [UInt8](identity.utf8), enrolled: [],
            pin: PINIdentity(
                mpinID: mpinID, epoch: 1, backend: [UInt8](backend.utf8), rule: rule, remote: false,
                personal: home))
        let credential = Credential(
            identity: identity, token: try MPinClient.token(fromHex: token), ids: [id], hostKey: nil,
            deviceKey: key)
        guard let credential else { throw .flow("the user has no PIN") }
        return credential
    }

    /// The tag for a report about a session; nil if the registration is not bound, because then the server
    /// knows no tags.
    func tag(status: String, wid: String) throws(ClientFailure) -> DeviceTag? {
        try tag { DevicePass(id: $0, status: [UInt8](status.utf8), wid: [UInt8](wid.utf8)) }
    }

    /// The tag for the question which logins wait, at this time; nil as above.
    func tag(waitingAt time: UInt64) throws(ClientFailure) -> DeviceTag? {
        try tag { DevicePass(id: $0, waitingAt: time) }
    }

    private func tag(_ pass: (IdentityHash) -> DevicePass) throws(ClientFailure) -> DeviceTag? {
        let id = identityHash(mpinID)
        switch try key() {
        case .none: return nil
        case .some(let key):
            do throws(Reason) { return try key.tag(pass(id), of: id) } catch {
                throw ClientFailure(.failed(error))
            }
        }
    }

    private func key() throws(ClientFailure) -> DeviceKey? {
        guard isBound else { return nil }
        guard let key = MPinClient.deviceKey(fromHex: deviceKey) else {
            throw ClientFailure(.failed(.deviceKey(.lost)))
        }
        return key
    }
}

/// Reads a device key from 64 hexadecimal digits; nil for other text.
func deviceKey(fromHex digits: String) -> DeviceKey? {
    guard var octets = octets(fromHex: [UInt8](digits.utf8)) else { return nil }
    defer { for index in octets.indices { octets[index] = 0 } }
    return try? DeviceKey(copying: octets)
}
