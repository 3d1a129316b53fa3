// SPDX-License-Identifier: Apache-2.0
// What this host brings to a proof: an identity with its token, and the key that verdicts are sealed with.
package import MPin
import MPinWire

/// What a host or device proves an identity with: the identity, its token, and the keys that go with it.
package struct Credential: ~Copyable {
    package let identity: Identity
    package let pin: PINIdentity
    let token: Token
    /// Hashes of the identities that may log in to this account with a PIN here.
    let ids: [[UInt8]]
    /// nil where a Milagro server decides, which seals nothing.
    let hostKey: HostKey?
    /// Of a person's own device that was registered by a client of ours.
    let deviceKey: DeviceKey?

    /// nil for an identity without a PIN.
    package init?(
        identity: Identity, token: consuming Token, ids: [[UInt8]], hostKey: consuming HostKey?,
        deviceKey: consuming DeviceKey? = nil
    ) {
        guard let pin = identity.pin else { return nil }
        self.identity = identity
        self.pin = pin
        self.token = token
        self.ids = ids
        self.hostKey = hostKey
        self.deviceKey = deviceKey
    }

    /// A second device whose proofs must carry a tag and that has no key to make one.
    var lacksDeviceKey: Bool { pin.personal?.isBound == true && deviceKey == nil }

    package var isSealed: Bool { hostKey != nil }

    /// The question of one try; nil without a host key, or if a text is too long for one.
    package borrowing func question(_ nonce: [UInt8], in context: LoginContext, life: Int) -> SealedQuestion?
    {
        switch hostKey {
        case .none: nil
        case .some(let key): context.question(host: key.name, nonce: nonce, ids: ids, life: life)
        }
    }
}
