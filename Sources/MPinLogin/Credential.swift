// SPDX-License-Identifier: Apache-2.0
// What this host brings to a proof: an identity with its token, and the key that verdicts are sealed with.
package import MPin

package struct Credential: ~Copyable {
    package let identity: Identity
    let pin: PINIdentity
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

    var isSealed: Bool { hostKey != nil }

    /// The question of one try; nil without a host key, or if a text is too long for one.
    borrowing func question(_ nonce: [UInt8], in scene: Scene, life: Int) -> Ask? {
        switch hostKey {
        case .none: nil
        case .some(let key): scene.question(host: key.name, nonce: nonce, ids: ids, life: life)
        }
    }
}

/// The backup codes of an account, and where they are.
struct HostCodes {
    let set: BackupCodes
    let place: CodePlace

    /// Of somebody who is enrolled here; who is not has nothing to stand in for.
    init(_ file: borrowing UserFile, _ store: borrowing FileStore) throws(Obstacle) {
        guard !file.identities.isEmpty else { throw .account(.noBackupCodes) }
        place = CodePlace(store: store.path, uid: file.uid, name: file.name, host: file.host)
        let codes: BackupCodes?
        do throws(StoreError) { codes = try store.codes(at: place) } catch { throw .failed(.store(error)) }
        guard let codes, codes.left > 0 else { throw .account(.noBackupCodes) }
        set = codes
    }
}
