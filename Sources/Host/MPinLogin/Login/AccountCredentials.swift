// SPDX-License-Identifier: Apache-2.0
// The credentials of an account on this host, read from the store before the user is asked anything.
import MPin
package import MPinProof
package import MPinHostStore
import Octets

package struct AccountCredentials: ~Copyable {
    package let methods: LoginMethods
    /// nil where the PIN is closed.
    let pin: Credential?
    /// nil where no screen mentions a second device.
    let phones: Phones?
    /// nil where backup codes are closed.
    let codes: HostCodes?
    /// A fault of this host that affects every account.
    package let failure: Reason?

    private init(
        _ methods: LoginMethods, pin: consuming Credential?, phones: consuming Phones?,
        codes: consuming HostCodes? = nil
    ) {
        self.methods = methods
        self.pin = pin
        self.phones = phones
        self.codes = codes
        failure = nil
    }

    private init(_ methods: LoginMethods, failure: Reason) {
        var methods = methods
        methods.close(all: .failed(failure))
        self.methods = methods
        pin = nil
        phones = nil
        codes = nil
        self.failure = failure
    }

    /// The identities of the PIN and of the second devices that the open methods use.
    package var identities: [Identity] {
        var identities: [Identity] = []
        switch pin {
        case .none: break
        case .some(let credential): identities.append(credential.identity)
        }
        switch phones {
        case .none: break
        case .some(let phones): identities += phones.identities
        }
        return identities
    }

    /// An account with this PIN and nothing else.
    package init(_ settings: Settings, _ context: LoginContext, pin: consuming Credential) {
        var methods = LoginMethods(settings, context)
        methods.close(phone: .account(.noPhone))
        methods.close(code: .account(.noBackupCodes))
        self.init(methods, pin: pin, phones: nil)
    }

    /// Reads the store that the settings name.
    package static func find(_ settings: Settings, _ context: LoginContext) -> AccountCredentials {
        let methods = LoginMethods(settings, context)
        do throws(Reason) { return try read(settings, in: context, methods: methods) } catch {
            return AccountCredentials(methods, failure: error)
        }
    }

    /// Reads the host's files first, whose faults affect every account, then the account's.
    private static func read(
        _ settings: Settings, in context: LoginContext, methods: LoginMethods
    ) throws(Reason) -> AccountCredentials {
        let store = try openStore(settings)
        let hostKey = try hostKey(store, settings)
        let host = hostName(hostKey)
        var pin: Credential?
        var codes: HostCodes?
        var devices: [Identity] = []
        var found = methods
        do throws(Unavailability) {
            let file = try userFile(in: store, host: host, settings, context)
            devices = file.identities.filter { $0.way == .phone }
            if devices.isEmpty { found.close(phone: .account(.noPhone)) }
            if found.pin == nil {
                do throws(Unavailability) {
                    pin = try credential(in: file, of: store, settings, context)
                } catch {
                    found.close(pin: error)
                }
            }
            if devices.isEmpty, context.keyAccepted, found.pin == nil { found.showPINAlone() }
            if settings.takesBackupCodes {
                do throws(Unavailability) { codes = try hostCodes(of: file, in: store, settings) } catch {
                    found.close(code: error)
                }
            }
        } catch {
            found.close(all: error)
        }
        let asksDevices = found.showsPhone || found.showsOTP
        return AccountCredentials(
            found, pin: pin, phones: asksDevices ? try phones(devices, hostKey) : nil, codes: codes)
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

    private static func hostCodes(
        of file: borrowing UserFile, in store: borrowing FileStore, _ settings: Settings
    ) throws(Unavailability) -> HostCodes {
        let key: HostKey?
        do throws(Reason) { key = try hostKey(store, settings) } catch { throw .failed(error) }
        return try HostCodes.find(file, store, hostKey: key)
    }

    private static func hostName(_ hostKey: borrowing HostKey?) -> [UInt8] {
        switch hostKey {
        case .none: machineName()
        case .some(let key): key.name
        }
    }

    private static func phones(
        _ devices: [Identity], _ hostKey: consuming HostKey?
    ) throws(Reason) -> Phones {
        guard let hostKey else { throw .outOfTurn }
        return Phones(devices, key: hostKey)
    }

    private static func userFile(
        in store: borrowing FileStore, host: [UInt8], _ settings: Settings, _ context: LoginContext
    ) throws(Unavailability) -> UserFile {
        guard let account = context.account else { throw .account(.unknownAccount) }
        let rule: Rule?
        do throws(AccountError) { rule = try settings.exclusion(of: account, in: context) } catch {
            throw .failed(.account(error))
        }
        if let rule { throw .account(.excluded(rule)) }
        let file: UserFile?
        do throws(StoreError) { file = try store.user(account, host: host) } catch {
            throw .failed(.store(error))
        }
        guard let file else { throw .account(.noFile) }
        return file
    }

    /// What a login with the PIN needs. The host key is read again, because a key cannot be copied.
    private static func credential(
        in file: borrowing UserFile, of store: borrowing FileStore, _ settings: Settings,
        _ context: LoginContext
    ) throws(Unavailability) -> Credential {
        guard let index = file.pinIndex else { throw .account(.noPINHere) }
        let identity = file.identities[index]
        if context.isRemote, settings.remotePIN == .long, identity.pin?.remote != true {
            throw .account(.notForRemote)
        }
        let token: Token
        do throws(StoreError.Fault) { token = try file.token(at: index) } catch {
            throw .failed(.store(StoreError(file: store.path(ofUser: file.uid), fault: error)))
        }
        let key: HostKey?
        do throws(Reason) { key = try hostKey(store, settings) } catch { throw .failed(error) }
        let credential = Credential(identity: identity, token: token, ids: file.pinIDs, hostKey: key)
        guard let credential else { throw .account(.noPINHere) }
        return credential
    }
}
