// SPDX-License-Identifier: Apache-2.0
// An enrolment on its way: the account's place in the store, its steps in words, and what came of it.
import MPin
import MPinClient
import MPinWire

/// Where an account's identities stand.
struct Place: ~Copyable {
    let settings: Settings
    let account: Account
    let host: [UInt8]
    private let store: FileStore

    /// Makes the store if there is none; under `answer = sealed` the host must have its key.
    init(_ settings: Settings, _ account: Account) throws(Failure) {
        let store = try makeStore(settings.store)
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

extension RegistrationStep {
    /// What takes long enough to be told.
    fileprivate func words(_ settings: Settings) -> String? {
        switch self {
        case .exchange(.register): "Registering at \(text(settings.backends.first?.address ?? [])) ..."
        case .exchange(.clientSecret): "Fetching the secret ..."
        case .exchange(.settings): "Logging in once, to prove it ..."
        case .exchange, .save, .store, .settle, .withdraw, .finished: nil
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
        _ outcome: RegistrationOutcome, _ place: borrowing Place, _ before: [Identity]
    ) throws(Failure) {
        switch outcome {
        case .enrolled(let identity):
            self.identity = IdentityReport(identity)
            failure = nil
        case .unproved(let identity, let why):
            self.identity = IdentityReport(identity)
            failure = Failure(unproved: why, place)
        case .withdrawn, .notVerified, .notAuthorized, .expired, .unavailable, .failed:
            throw Failure(outcome, place.settings)
        }
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
    /// Stored, but no login was made with it.
    fileprivate init(unproved why: Outcome, _ place: borrowing Place) {
        let reason = Failure(why, place.settings) ?? Failure(.broken, "The login ended too early.")
        self.init(
            reason.trouble,
            "The PIN is stored, but no login has proved it: \(reason.sentence) An older PIN was kept. Run 'mpin test "
                + "\(text(place.account.name))'.")
    }

    /// Why an enrolment left the account as it was.
    fileprivate init(_ outcome: RegistrationOutcome, _ settings: Settings) {
        switch outcome {
        case .enrolled, .unproved: self.init(.broken, "The enrolment is done.")
        case .withdrawn(let why):
            let reason = Failure(why, settings)
            self.init(
                reason?.trouble ?? .broken,
                "The login that was to prove the PIN failed, so the account is as it was. \(reason?.sentence ?? "")"
            )
        case .notVerified:
            self.init(
                .refused,
                "The server does not take this activation code for this identity. A code is good for a day, five tries "
                    + "and one enrolment; 'mpind user add' prints a new one.")
        case .notAuthorized: self.init(.refused, "The server does not let this identity register.")
        case .expired: self.init(.refused, "The server's patience was over. Run the command again.")
        case .unavailable(let why): self.init(why, settings)
        case .failed(let reason): self.init(reason, settings)
        }
    }

    init(_ fault: PINFault) {
        let sentence =
            switch fault {
            case .tooShort:
                "A PIN has \(PINPolicy.shortest) characters at least, and \(PINPolicy.shortestRemote) with --remote."
            case .tooLong: "A PIN has \(PINPolicy.longest) characters at most."
            case .foreignCharacter: "A PIN has letters, digits, blanks and signs of ASCII only."
            case .repeated: "That repeats itself; it is among the first to be guessed."
            case .counted: "That counts up or down; it is among the first to be guessed."
            case .year: "That reads as a year; it is among the first to be guessed."
            case .accountName: "That is the account's name; it is among the first to be guessed."
            case .readsAsCode: "That reads as a code of six or sixteen letters, and would be taken for one."
            }
        self.init(.refused, sentence)
    }
}
