// SPDX-License-Identifier: Apache-2.0
// A proof with a token of one's own: which token, its server, and who types the PIN.
import ArgumentParser
import MPin
import MPinConsole
import MPinCurl
import MPinLogin
import MPinProof
import MPinWire
import Secrets

struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Which of your tokens: its name, id, or the first eight digits.", valueName: "id"))
    var identity: String?
    @Option(help: ArgumentHelp("Which of your tokens: the one for this server.", valueName: "address"))
    var backend: String?
    @Option(help: ArgumentHelp("The folder of tokens, in place of ~/.local/state/mpin.", valueName: "dir"))
    var store: String?

    var choice: TokenChoice { TokenChoice(identity: identity, backend: backend) }

    func checkEnrolled() throws(Failure) {
        _ = try choice.among(PersonalStore.open(store).identities())
    }

    /// The token that is meant.
    /// - Parameter origin: of what was scanned; nil: that says nothing of the server.
    func token(at origin: [UInt8]? = nil) throws(Failure) -> OwnToken {
        let tokens = try PersonalStore.open(store)
        let file = try tokens.file()
        switch file {
        case .none: throw .enrolledNowhere
        case .some(let file):
            return try OwnToken(
                try choice.one(of: file.identities, at: origin), file, in: tokens.store.path)
        }
    }
}

/// A token with its server.
struct OwnToken: ~Copyable {
    let identity: Identity
    let backend: Backend
    let settings: Settings
    private let store: [UInt8]
    private let credential: Credential

    /// - Parameter store: where the file is.
    init(_ identity: Identity, _ file: borrowing UserFile, in store: [UInt8]) throws(Failure) {
        guard let pin = identity.pin, let home = pin.personal, let backend = Backend(pin.backend) else {
            throw Failure(.store, "This token cannot approve logins.")
        }
        let settings = try personalSettings(pin.backend, home)
        let credential = try mpin.credential(identity, file)
        self.identity = identity
        self.backend = backend
        self.settings = settings
        self.store = store
        self.credential = credential
    }

    /// A line to the token's server. Nothing is sent yet.
    borrowing func connected() throws(Failure) -> CurlTransport {
        do { return try mpin.connected(settings) } catch {
            throw Failure(personal: .transport(error), settings)
        }
    }

    /// The question who waits in a session, asked as this device.
    borrowing func looking(for wid: [UInt8]) throws(Failure) -> DeviceRequest {
        do { return .look(wid: wid, by: try credential.tag(status: "wid", wid: wid)) } catch {
            throw Failure(personal: error, settings)
        }
    }

    /// Asks for the PIN, makes the proof, and says what came of it.
    consuming func prove(
        _ aim: ApprovalPurpose, over line: inout CurlTransport, _ person: Approver
    ) throws(Failure) -> Proved {
        var person = person
        let (owner, folder) = (identity, store)
        var approval = Approval(aim, at: backend, by: credential)
        let outcome = drive(&approval, over: &line) { person.answer($0) }
        if let failure = person.failure { throw failure }
        switch approval.newDeviceKey {
        case .none: break
        case .some(let key): keep(key, of: owner, in: folder)
        }
        return Proved(
            outcome: outcome, seen: person.shown, attempt: approval.attempt, logout: approval.logout,
            tries: approval.tries, hasNoNotice: approval.hasNoNotice)
    }
}

/// The old key is good until the new one was used, so who cannot keep it is told so, and no more.
private func keep(_ key: borrowing DeviceKey, of identity: Identity, in store: [UInt8]) {
    do throws(StoreError) {
        let tokens = try FileStore(at: store)
        try tokens.replaceDeviceKey(of: identity.id, by: key, of: ownAccount())
    } catch { say("mpin: warning: the new device key cannot be kept: \(Failure(error).sentence)") }
}

private func credential(
    _ identity: Identity, _ file: borrowing UserFile
) throws(Failure) -> Credential {
    guard let index = file.identities.firstIndex(where: { $0.id == identity.id }) else {
        throw .enrolledNowhere
    }
    let token: Token
    do throws(StoreError.Fault) { token = try file.token(at: index) } catch { throw .unreadableToken }
    let deviceKey: DeviceKey?
    do throws(StoreError.Fault) { deviceKey = try file.deviceKey(at: index) } catch { throw .unreadableToken }
    let credential = Credential(
        identity: identity, token: token, ids: [], hostKey: nil, deviceKey: deviceKey)
    guard let credential else { throw .enrolledNowhere }
    return credential
}

struct Proved {
    let outcome: ApprovalOutcome
    let seen: ApprovalDetails?
    /// Of the console, if one waits.
    let attempt: [UInt8]
    let logout: Logout?
    let tries: Tries?
    let hasNoNotice: Bool

    /// What the owner of the token is told of wrong PINs.
    var notices: [String] {
        if hasNoNotice {
            return [
                "The server's notice of wrong PINs since your last login is missing or not authentic. "
                    + "Somebody may be in between."
            ]
        }
        return tries.map { $0.sentences(on: .server) } ?? []
    }
}

/// Who looks at what is to be proved and types the PIN.
struct Approver {
    let asked: SecretInput
    let prompt: String
    /// Where nothing came of it.
    let nothing: Failure
    private(set) var shown: ApprovalDetails?
    /// Why there was no answer.
    private(set) var failure: Failure?

    init(_ pin: PINOptions, prompt: String, nothing: Failure) {
        asked = .pin(pin)
        self.prompt = prompt
        self.nothing = nothing
    }

    /// nil: broken off, with nothing proved.
    mutating func answer(_ seen: ApprovalDetails?) -> Secret? {
        shown = seen
        if asked.isTyped, let seen { for line in seen.lines { say(line) } }
        do throws(Failure) { return try asked.answer(prompt) } catch {
            failure = error.trouble == .cancelled ? nothing : error
            return nil
        }
    }
}

extension Failure {
    fileprivate static let unreadableToken = Failure(
        .store, "The token cannot be read. Enrol this device again.")

    /// What the status of an answer means that brings nothing.
    init(_ status: UInt16, _ settings: Settings) {
        if RelayResponse.isUnavailable(status) {
            self.init(Unavailable(status: status, ignored: false), settings)
        } else {
            self.init(.broken, "That did not work: \(explained(status: status, settings))")
        }
    }
}
