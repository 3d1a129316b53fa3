// SPDX-License-Identifier: Apache-2.0
// What a host or device needs for a proof: an identity, its token, and the keys for tags and verdicts.
package import MPin
import MPinWire
package import Octets

/// What a host or device proves an identity with: the identity, its token and its keys.
package struct Credential: ~Copyable {
    package let identity: Identity
    /// `identity.pin`.
    package let pin: PINIdentity
    let token: Token
    /// The hashes of the identities that may log in to this account with a PIN here.
    let ids: [IdentityHash]
    /// nil on a user's own device and with a Milagro server: they get no sealed verdicts.
    let hostKey: HostKey?
    /// Only on a user's own device that our client registered.
    let deviceKey: DeviceKey?

    /// nil for an identity without a PIN.
    package init?(
        identity: Identity, token: consuming Token, ids: [IdentityHash], hostKey: consuming HostKey?,
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

    /// Whether this is a second device whose proofs need a tag but which has no key to make one.
    var lacksDeviceKey: Bool { pin.personal?.isBound == true && deviceKey == nil }

    /// Whether verdicts must be sealed under the host key.
    package var isSealed: Bool { hostKey != nil }

    /// The question for one try; nil without a host key, or if a text is too long for a question.
    package borrowing func question(_ nonce: QuestionNonce, in context: LoginContext, life: Int)
        -> SealedQuestion?
    {
        switch hostKey {
        case .none: nil
        case .some(let key): context.question(host: key.name, nonce: nonce, ids: ids, life: life)
        }
    }
}
