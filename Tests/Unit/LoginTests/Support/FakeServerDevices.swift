// SPDX-License-Identifier: Apache-2.0
// The server's side of device keys and notices: whether a tag is right, and what a notice reports.
import MPin
import MPinWire
import Octets

extension FakeServer {
    /// The device key of an identity in the current epoch.
    func deviceKey(of id: IdentityHash) throws -> DeviceKey {
        try DeviceKey.derive(master: deviceMaster, epoch: deviceEpoch, id: id)
    }

    func isTagged(_ pass: RelayPassOneRequest) throws -> Bool {
        let id = identityHash(pass.mpinID)
        let first = DevicePass(id: id, u: pass.u, ut: pass.ut, seen: pass.seen)
        return try deviceKey(of: id).verifies(pass.deviceTag, of: first)
    }

    func isTagged(_ pass: RelayPassTwoRequest, answering session: Session) throws -> Bool {
        guard let n = pass.n else { return false }
        let id = identityHash(session.mpinID)
        let second = DevicePass(
            id: id, n: n, y: session.y, v: pass.v, wid: pass.wid, wantsOTP: pass.wantsOTP)
        return try deviceKey(of: id).verifies(pass.deviceTag, of: second)
    }

    /// The notice that accompanies a grant for the question `a`.
    func sealedNotice(_ a: QuestionHash) throws -> (notice: [UInt8], tag: [UInt8]) {
        let notice = TriesNotice(
            for: .host, subject: a.octets, count: wrongTries.count, lastSeconds: wrongTries.seconds,
            lastSource: Array(wrongTries.source.utf8))
        guard let notice else { return ([], []) }
        switch hostKey {
        case .none: return ([], [])
        case .some(let key): return (notice.octets, try key.tag(of: notice))
        }
    }
}
