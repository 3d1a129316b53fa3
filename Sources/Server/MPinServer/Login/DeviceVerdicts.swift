// SPDX-License-Identifier: Apache-2.0
// Pass 2 with a device's tag, and what a device learns in addition to its verdict (seal-devices.md, section
// 10).
import MPin
import MPinWire
import Octets

extension ServiceContext {
    /// The epoch of the device key whose tag came with a pass 2; nil without a right tag. The work is the
    /// same with and without a tag.
    func tagEpoch(
        of asked: PassTwoRequest, key: PassOneKey, passOne: PassOneRecord, identity: IdentityRecord
    ) -> UInt32? {
        guard case .n(let n) = key else { return nil }
        let pass = DevicePass(
            id: identity.description.id, n: n, y: passOne.y, v: asked.v.octets, wid: [UInt8](asked.wid.utf8),
            wantsOTP: asked.otp.isOn)
        let tag = asked.deviceTag?.octets ?? []
        return fittingEpoch(of: identity, id: passOne.id) { key in key.verifies(tag, of: pass) }
    }

    /// Adds to the answer for a device with a right tag: after a refusal the tries left and the duration of a
    /// lock; after a granted login the notice, the tries left if they are few, and the key of a newer epoch.
    func tellDevice(
        _ finding: Redemptions.Finding, _ redemption: Redemption, in answer: inout AuthenticateResponse
    ) throws {
        guard redemption.verdict.counting == .byDevice, let identity = redemption.identity else { return }
        let id = identity.description.id
        guard finding.verdict == .granted else {
            if finding.verdict == .wrong || finding.verdict == .blocked {
                answer.triesLeft = finding.triesLeft.map(Int.init)
                if finding.lockedSeconds > 0, finding.lockedSeconds != .max {
                    answer.retryAfter = Int(finding.lockedSeconds)
                }
            }
            // Also for a suspension: the device shows that it is refused, and keeps its token.
            if finding.verdict == .revoked { answer.revoked = true }
            return
        }
        answer.triesLeft = redemption.tries.scarce.map(Int.init)
        guard let epoch = identity.deviceEpoch, let key = try secrets.deviceKey(epoch, of: id),
            let notice = redemption.notice(
                for: .device, subject: id.octets + redemption.verdict.authOTTHash.octets)
        else { return }
        answer.notice = HexOctets(notice.octets)
        answer.noticeTag = HexOctets(try key.tag(of: notice))
        if epoch != secrets.deviceEpoch, let newer = try secrets.deviceKey(secrets.deviceEpoch, of: id) {
            answer.deviceKey = HexOctets(newer.withOctets(plainOctets))
            answer.deviceKeyTag = HexOctets(try key.tag(ofNewer: newer, for: id))
        }
    }
}

extension Redemption {
    /// The notice of the wrong tries before this login, also if there were none.
    func notice(for reader: TriesNotice.Reader, subject: [UInt8]) -> TriesNotice? {
        // The source of a try at a host begins with the host's name.
        let source = wrongTries?.lastSource ?? ""
        let prefix = (verdict.host ?? "") + "/"
        let place =
            verdict.host != nil && source.hasPrefix(prefix) ? source.dropFirst(prefix.count) : source[...]
        return TriesNotice(
            for: reader, subject: subject, count: UInt16(clamping: wrongTries?.count ?? 0),
            lastSeconds: UInt64(clamping: (wrongTries?.lastAt ?? 0) / Limits.second),
            lastSource: [UInt8](place.utf8.prefix(255)))
    }
}
