// SPDX-License-Identifier: Apache-2.0
// What this host brings to a proof: an identity with its token, and the key that verdicts are sealed with.
package import MPin

public struct Credential: ~Copyable {
    package let identity: Identity
    let pin: PINIdentity
    let token: Token
    /// Hashes of the identities that may log in to this account with a PIN here.
    let ids: [[UInt8]]
    /// nil where a Milagro server decides, which seals nothing.
    let hostKey: HostKey?

    /// nil for an identity without a PIN.
    package init?(
        identity: Identity, token: consuming Token, ids: [[UInt8]], hostKey: consuming HostKey?
    ) {
        guard let pin = identity.pin else { return nil }
        self.identity = identity
        self.pin = pin
        self.token = token
        self.ids = ids
        self.hostKey = hostKey
    }
}

/// How an account stands with this host, before anybody is asked anything.
public enum Standing: ~Copyable {
    case enrolled(Credential)
    case notEnrolled(NotEnrolled.Cause)
    case failed(Reason)
}

extension Standing {
    /// Reads the store that the settings name.
    package static func find(_ settings: Settings, _ scene: Scene) -> Standing {
        do {
            return try look(settings, scene)
        } catch {
            return .failed(error)
        }
    }

    /// The host's own affairs come first, for everybody alike; then the account's.
    private static func look(_ settings: Settings, _ scene: Scene) throws(Reason) -> Standing {
        let store: FileStore
        var hostKey: HostKey?
        let host: [UInt8]
        do throws(StoreError) {
            store = try FileStore(at: settings.store)
            hostKey = settings.answer == .sealed ? try store.hostKey() : nil
        } catch { throw .store(error) }
        host = hostKey.name ?? machineName()
        guard let account = scene.account else { return .notEnrolled(.unknownAccount) }
        do throws(AccountError) {
            if let rule = try settings.exclusion(of: account, in: scene) {
                return .notEnrolled(.excluded(rule))
            }
        } catch { throw .account(error) }
        return try look(store, account, scene, settings, host, hostKey.take())
    }

    private static func look(
        _ store: borrowing FileStore, _ account: Account, _ scene: Scene, _ settings: Settings,
        _ host: [UInt8], _ hostKey: consuming HostKey?
    ) throws(Reason) -> Standing {
        do throws(StoreError) {
            guard let file = try store.user(account, host: host) else { return .notEnrolled(.noFile) }
            guard let index = file.pinIndex else { return .notEnrolled(.noPINHere) }
            let identity = file.identities[index]
            if scene.isRemote, settings.remotePIN == .long, identity.pin?.remote != true {
                return .notEnrolled(.notForRemote)
            }
            let token: Token
            do throws(StoreError.Fault) { token = try file.token(at: index) } catch {
                throw StoreError(file: store.path(ofUser: account.uid), fault: error)
            }
            let credential = Credential(
                identity: identity, token: token, ids: file.pinIDs, hostKey: hostKey)
            guard let credential else { return .notEnrolled(.noPINHere) }
            return .enrolled(credential)
        } catch { throw .store(error) }
    }
}
