// SPDX-License-Identifier: Apache-2.0
// An enrolment of a PIN on this host: the account's place in the store, its steps in words, and what came
// of it.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Secrets

/// Where an account's identities stand.
struct AccountStore: ~Copyable {
    let settings: Settings
    let account: Account
    let host: [UInt8]
    private let store: FileStore

    /// Makes the store if there is none; under `answer = sealed` the host must have its key, which is there
    /// already. An empty store would say that nobody is enrolled.
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

    borrowing func hostKey() throws(Failure) -> HostKey? {
        guard settings.answer == .sealed else { return nil }
        do { return try store.hostKey() } catch { throw Failure(error) }
    }

    borrowing func identities() throws(Failure) -> [Identity] {
        do throws(StoreError) {
            guard let file = try store.user(account, host: host) else { return [] }
            return file.identities
        } catch { throw Failure(error) }
    }

    /// What the account logs in with here: the last of its PINs.
    borrowing func credential() throws(Failure) -> Credential {
        let key = try hostKey()
        var found: Credential?
        do throws(StoreError) {
            if let file = try store.user(account, host: host), let index = file.pinIndex {
                let token: Token
                do throws(StoreError.Fault) { token = try file.token(at: index) } catch {
                    throw StoreError(file: settings.store, fault: error)
                }
                found = Credential(
                    identity: file.identities[index], token: token, ids: file.pinIDs, hostKey: key)
            }
        } catch { throw Failure(error) }
        guard let found else { throw Failure(.notEnrolled, explained(.noPINHere, settings)) }
        return found
    }

    /// What an interrupted enrolment left.
    borrowing func pending() throws(Failure) -> PendingRegistration? {
        do { return try store.pending(account, host: host) } catch { throw Failure(error) }
    }

    borrowing func run(_ registration: inout Registration, progress: (String) -> Void) -> RegistrationOutcome
    {
        drive(
            &registration, of: account, host: host, in: store,
            progress: { step in if let words = step.words(settings) { progress(words) } },
            connect: { () throws(TransportError) in try TimedRelay(settings) })
    }
}

extension EnrollCommand {
    /// - Parameter seen: sees the PIN before it is used up.
    func enrolHere(
        _ user: String, seen: (borrowing Secret) throws(Failure) -> Void = { _ in }
    ) throws(Failure) -> EnrollReport {
        let settings = try server.settings(store, enrolment: true)
        let account = try findAccount(user)
        let place = try AccountStore(settings, account)
        let name = named ?? "\(user)@\(text(place.host))"
        let before = try place.identities()
        for old in before where old.pin != nil {
            progress("\(text(old.label)) has a PIN here already; it ends when the new one has been proved.")
        }
        let demand = try pinDemand(settings)
        let secret = try newPIN(
            .pin(pin), for: account.name, account: account.name, remote: remote, demand: demand)
        try seen(secret)
        let letters =
            here
            ? try LocalServer().activationLetters(name)
            : try activationCode(code, isOurs: settings.answer == .sealed)
        progress("Computing a slow hash of the PIN ...")
        let request = try request(
            settings, account, named: name, from: place.host, among: before,
            asking: demand, resuming: place.pending(), letters)
        let key = try place.hostKey()
        var registration: Registration
        do {
            registration = try Registration(request, pin: secret, hostKey: key, nonce: freshNonce)
        } catch { throw Failure(error, settings) }
        let outcome = place.run(&registration) { progress($0) }
        return try EnrollReport(outcome, place, before, hasCode: !letters.isEmpty)
    }
}

extension RegistrationStep {
    /// What takes long enough to be told.
    func words(_ settings: Settings) -> String? {
        switch self {
        case .exchange(.register): "Registering at \(text(settings.backends.first?.address ?? [])) ..."
        case .exchange(.clientSecret): "Fetching the secret ..."
        case .exchange(.settings): "Logging in once, to prove it ..."
        // What an administrator needs who is to confirm the registration.
        case .save(let pending): "Registered as \(hexText(identityHash(pending.mpinID)).prefix(8))."
        case .exchange, .store, .settle, .withdraw, .finished: nil
        }
    }
}

struct EnrollReport: Report {
    let user: String
    let uid: UInt32
    let identity: IdentityReport
    /// Whether one login has shown that token and PIN fit.
    let proved: Bool
    /// Ids of the PINs that ended.
    let replaced: [String]
    private let failure: Failure?

    enum CodingKeys: CodingKey { case user, uid, identity, proved, replaced }

    /// Nothing but an enrolment that left a PIN behind has a report.
    init(
        _ outcome: RegistrationOutcome, _ place: borrowing AccountStore, _ before: [Identity], hasCode: Bool
    ) throws(Failure) {
        let settings = place.settings
        let stored = try stored(outcome, settings, hasCode: hasCode) { Failure($0, settings) }
        identity = IdentityReport(stored.identity)
        failure = stored.unproved
        let after = try place.identities().map(\.id)
        user = String(decoding: place.account.name, as: UTF8.self)
        uid = place.account.uid
        proved = failure == nil
        replaced = before.map(\.id).filter { !after.contains($0) }.map(hexText)
    }

    var failures: [Failure] { failure.map { [$0] } ?? [] }

    var lines: [String] {
        var lines = ["\(shown(user)) has a PIN for \(shown(identity.label)) (\(identity.id8)) on this host."]
        if proved { lines[0] += " One login has proved it." }
        return lines + replaced.map { "The older PIN \($0.prefix(8)) has ended on this host." }
    }
}

extension Failure {
    init(_ fault: PINFault) {
        let sentence =
            switch fault {
            case .tooShort:
                "A PIN has \(PINPolicy.shortest) characters at least, and \(PINPolicy.shortestRemote) with "
                    + "--remote."
            case .shorterThanAsked(let least): "This server asks for a PIN of \(least) characters at least."
            case .tooLong: "A PIN has \(PINPolicy.longest) characters at most."
            case .foreignCharacter: "A PIN has letters, digits, blanks and signs of ASCII only."
            case .repeated: "That repeats itself; it is among the first to be guessed."
            case .counted: "That counts up or down; it is among the first to be guessed."
            case .year: "That reads as a year; it is among the first to be guessed."
            case .date: "That reads as a date, and this server takes no dates as PINs."
            case .accountName: "That is the account's name; it is among the first to be guessed."
            case .readsAsCode: "That reads as a code of six or sixteen letters, and would be taken for one."
            }
        self.init(.refused, sentence)
    }
}
