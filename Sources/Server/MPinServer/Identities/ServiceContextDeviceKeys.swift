// SPDX-License-Identifier: Apache-2.0
// Device keys at the server: checking devices' tags (seal-devices.md, section 10).
import MPin
import MPinDatabase
import MPinWire
import Octets

extension ServiceContext {
    /// Whether the tag of a pass 1 is that of the identity's device.
    func isTagged(_ asked: PassOneRequest, id: IdentityHash, _ identity: IdentityRecord?) throws -> Bool {
        let pass = DevicePass(
            id: id, u: asked.u.octets, ut: asked.ut.octets, seen: asked.seen?.octets ?? [])
        guard let tag = asked.deviceTag?.octets else { return false }
        return fittingEpoch(of: identity, id: id) { key in key.verifies(tag, of: pass) } != nil
    }

    /// The identity whose device sent the request; nil without a right tag, and for a revoked identity.
    func device(_ asked: CodeStatusRequest) async throws -> IdentityRecord? {
        guard let id = asked.id, let tag = asked.deviceTag?.octets else { return nil }
        let pass = DevicePass(id: id, status: [UInt8](asked.status.utf8), wid: [UInt8](asked.wid.utf8))
        return try await device(id, tag, pass)
    }

    /// The same for the tag of anything that a device of the identity `id` sends. The tag is also computed
    /// for an identity that is unknown or revoked, so that the time tells nothing about it.
    func device(_ id: IdentityHash, _ tag: [UInt8], _ pass: DevicePass) async throws -> IdentityRecord? {
        let identity = try await storage.identity(id: id)
        let epoch = fittingEpoch(of: identity, id: id) { key in key.verifies(tag, of: pass) }
        return epoch == nil || identity?.revokedAt != nil ? nil : identity
    }

    /// The epoch whose key fits: the newest or the one before it, but none older than the identity's.
    func fittingEpoch(
        of identity: IdentityRecord?, id: IdentityHash, fits: (borrowing DeviceKey) -> Bool
    ) -> UInt32? {
        let newest = secrets.deviceEpoch
        let own = identity?.deviceEpoch
        for epoch in [newest, newest &- 1] where epoch >= own ?? newest {
            guard let key = try? secrets.deviceKey(epoch, of: id) else { continue }
            if fits(key), own != nil { return epoch }
        }
        return nil
    }
}
