// SPDX-License-Identifier: Apache-2.0
// An account's identities in the store, for enrolments and PIN changes.
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

/// The store and host name under which an account's identities are kept.
struct AccountStore: ~Copyable {
    let settings: Settings
    let account: Account
    let host: [UInt8]
    private let store: FileStore

    /// Opens the store. Under `answer = sealed` the store must exist and hold the host key: an empty new
    /// store would mean that nobody is enrolled. Otherwise makes the store if there is none.
    init(_ settings: Settings, _ account: Account) throws(Failure) {
        let store =
            settings.answer == .sealed ? try openStore(settings.store) : try makeStore(settings.store)
        let host: [UInt8]
        do throws(StoreError) {
            host = settings.answer == .sealed ? try store.hostKey().name : machineName()
        } catch { throw Failure(error) }
        self.settings = settings
        self.account = account
        self.host = host
        self.store = store
    }

    /// The host key; nil unless `answer = sealed`.
    borrowing func hostKey() throws(Failure) -> HostKey? {
        guard settings.answer == .sealed else { return nil }
        return try Failure.ofStore(store.hostKey())
    }

    borrowing func identities() throws(Failure) -> [Identity] {
        try MPinAdmin.identities(of: account, host: host, in: store)
    }

    /// The credential with which the account logs in on this host: the last of its PINs.
    borrowing func credential() throws(Failure) -> Credential {
        let key = try hostKey()
        var found: Credential?
        do throws(StoreError) {
            if let file = try store.user(account, host: host), let index = file.pinIndex {
                let token: Token
                do throws(StoreError.Fault) { token = try file.token(at: index) } catch {
                    throw StoreError(file: store.path(ofUser: account.uid), fault: error)
                }
                found = Credential(
                    identity: file.identities[index], token: token, ids: file.pinIDs, hostKey: key)
            }
        } catch { throw Failure(error) }
        guard let found else {
            throw Failure(.notEnrolled, explained(.noPINHere, settings, of: text(account.name)))
        }
        return found
    }

    /// The registration that an interrupted enrolment left; nil if there is none.
    borrowing func pending() throws(Failure) -> PendingRegistration? {
        try Failure.ofStore(store.pending(account, host: host))
    }

    /// Runs a registration to its end, over the relay.
    borrowing func run(_ registration: inout Registration, progress: (String) -> Void) -> RegistrationOutcome
    {
        drive(
            &registration, of: account, host: host, in: store,
            progress: { step in if let words = step.words(settings) { progress(words) } },
            connect: { () throws(TransportError) in try TimedRelay(settings) })
    }
}

extension RegistrationStep {
    /// The line of progress for a slow step; nil for the other steps.
    func words(_ settings: Settings) -> String? {
        switch self {
        case .exchange(.register): "Registering at \(text(settings.backends.first?.address ?? [])) ..."
        case .exchange(.clientSecret): "Fetching the secret ..."
        case .exchange(.settings): Self.proving
        // A login with a sealed question begins without the settings. A second pass 1 brings a permit.
        case .exchange(.passOne(let pass)) where !pass.sealed.isNone && pass.ut.isEmpty: Self.proving
        // An administrator who confirms the registration needs this id.
        case .save(let pending): "Registered as \(hexText(identityHash(pending.mpinID)).prefix(8))."
        case .exchange, .store, .settle, .withdraw, .finished: nil
        }
    }

    private static let proving = "Logging in once, to prove it ..."
}
