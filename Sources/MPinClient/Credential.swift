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
package enum Standing: ~Copyable {
    case enrolled(Credential)
    case notEnrolled(NotEnrolled.Cause)
    /// This account's file, or what is asked about this account, is not as it must be.
    case unreadable(Reason)
    /// Something of the host's own, for everybody alike.
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
        let store = try openStore(settings)
        let hostKey = try hostKey(store, settings)
        let host = hostName(hostKey)
        guard let account = scene.account else { return .notEnrolled(.unknownAccount) }
        do throws(AccountError) {
            if let rule = try settings.exclusion(of: account, in: scene) {
                return .notEnrolled(.excluded(rule))
            }
        } catch { return .unreadable(.account(error)) }
        do throws(StoreError) {
            return try look(store, account, scene, settings, host, hostKey)
        } catch { return .unreadable(.store(error)) }
    }

    private static func openStore(_ settings: Settings) throws(Reason) -> FileStore {
        do throws(StoreError) { return try FileStore(at: settings.store) } catch { throw .store(error) }
    }

    private static func hostKey(
        _ store: borrowing FileStore, _ settings: Settings
    ) throws(Reason) -> HostKey? {
        guard settings.answer == .sealed else { return nil }
        do throws(StoreError) { return try store.hostKey() } catch { throw .store(error) }
    }

    private static func hostName(_ hostKey: borrowing HostKey?) -> [UInt8] {
        switch hostKey {
        case .none: machineName()
        case .some(let key): key.name
        }
    }

    private static func look(
        _ store: borrowing FileStore, _ account: Account, _ scene: Scene, _ settings: Settings,
        _ host: [UInt8], _ hostKey: consuming HostKey?
    ) throws(StoreError) -> Standing {
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
        let credential = Credential(identity: identity, token: token, ids: file.pinIDs, hostKey: hostKey)
        guard let credential else { return .notEnrolled(.noPINHere) }
        return .enrolled(credential)
    }
}
