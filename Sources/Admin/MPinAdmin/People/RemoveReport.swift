// SPDX-License-Identifier: Apache-2.0
// `mpin remove`: removes identities of an account from this host.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

/// The identities and codes that were removed from this host.
package struct RemoveReport: Report {
    let user: String
    let uid: UInt32
    let removed: [String]
    let backupCodesEnded: Bool
    /// The services that ask the account for the Unix password from now on; absent while it has an identity.
    let password: [String]?
    /// The services that let it in no more.
    let refused: [String]?

    /// A line for each identity, one for the codes, and what the services do from now on.
    package var lines: [String] {
        removed.map { "Removed \($0.prefix(8)) of \(shown(user)) from this host." }
            + (backupCodesEnded ? ["The backup codes of \(shown(user)) are void."] : [])
            + sentence(password, "From now on these ask \(shown(user)) for the Unix password")
            + sentence(refused, "From now on these do not let \(shown(user)) in")
    }

    private func sentence(_ services: [String]?, _ words: String) -> [String] {
        guard let services, !services.isEmpty else { return [] }
        return ["\(words): \(services.map { shown($0) }.joined(separator: ", "))."]
    }
}

/// Removes all identities of an account, or only `identity`, from the store at `store`. `user` may be a uid
/// if the account no longer exists. Throws if there is no such identity.
package func removeIdentities(
    of user: String, only identity: String?, from store: [UInt8]
) throws(Failure) -> RemoveReport {
    let path = store
    let store = try openStore(store)
    let uid = try uid(of: user)
    return try readUser(uid, named: user, in: store) { file throws(Failure) in
        let ids: [IdentityHash]
        if let identity {
            ids = [try namedIdentity(identity, in: file).id]
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
        // An account that is gone logs in nowhere, and another store than the usual is for tests.
        let isLast = ids.count == file.identities.count && path == HostPlaces.standard.store
        let after = isLast && (try? findAccount(text(file.name))) != nil ? servicesWithoutPIN() : nil
        return RemoveReport(
            user: String(decoding: file.name, as: UTF8.self), uid: uid, removed: ids.map { hexText($0) },
            backupCodesEnded: codesEnded, password: after?.password, refused: after?.refused)
    }
}

/// What the services that ask M-Pin do with users who have no PIN here.
private func servicesWithoutPIN() -> (password: [String], refused: [String]) {
    var (password, refused): ([String], [String]) = ([], [])
    for service in serviceNames(in: .standard) {
        guard let stack = try? PAMFolder.standard.stack(service), !stack.isOfOther else { continue }
        let check = StackCheck(stack)
        let arguments = check.places.first?.entry.rule.arguments ?? []
        guard check.asks,
            let settings = try? Settings.load(
                arguments: moduleArguments(arguments, config: nil, store: nil), service: [UInt8](service.utf8)
            )
        else { continue }
        let passes = check.passesRefused || settings.unenrolled == .ignore && check.asksTheIgnored
        if passes { password.append(service) } else { refused.append(service) }
    }
    return (password, refused)
}
