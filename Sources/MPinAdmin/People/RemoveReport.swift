// SPDX-License-Identifier: Apache-2.0
// `mpin remove`: removes identities of an account from this host.
import MPinLogin
import MPinProof
import MPinStore
import MPinWire
import Octets

/// The identities and codes that were removed from this host.
package struct RemoveReport: Report {
    let user: String
    let uid: UInt32
    let removed: [String]
    let backupCodesEnded: Bool

    /// A line for each identity, and one for the codes.
    package var lines: [String] {
        removed.map { "Removed \($0.prefix(8)) of \(shown(user)) from this host." }
            + (backupCodesEnded ? ["The backup codes of \(shown(user)) are void."] : [])
    }
}

/// Removes all identities of an account, or only `identity`, from the store at `store`. `user` may be a uid
/// if the account no longer exists. Throws if there is no such identity.
package func removeIdentities(
    of user: String, only identity: String?, from store: [UInt8]
) throws(Failure) -> RemoveReport {
    let store = try openStore(store)
    let uid = try uid(of: user)
    return try readUser(uid, named: user, in: store) { file throws(Failure) in
        let ids: [IdentityHash]
        if let identity {
            ids = [try find(identity, in: file).id]
        } else {
            ids = file.identities.map(\.id)
        }
        // Name and host come from the file, so that one of a renamed account or another host can be removed
        // too.
        let account = Account(uid: uid, gid: 0, name: file.name)
        var codesEnded = false
        do throws(StoreError) {
            // Codes work only beside an identity. They end with the last one, lest a new identity revive
            // them.
            if ids.count == file.identities.count { codesEnded = try store.removeCodes(uid: uid) }
            try store.remove(ids, of: account, host: file.host)
        } catch { throw Failure(error) }
        return RemoveReport(
            user: String(decoding: file.name, as: UTF8.self), uid: uid, removed: ids.map { hexText($0) },
            backupCodesEnded: codesEnded)
    }
}
