// SPDX-License-Identifier: Apache-2.0
// A user's own token with its server, and proofs with it.
import MPin
import MPinCurl
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

/// A token with its server.
struct OwnToken: ~Copyable {
    let identity: Identity
    let backend: Backend
    let settings: Settings
    private let store: [UInt8]
    private let credential: Credential

    /// - Parameter store: the folder that holds `file`.
    init(_ identity: Identity, _ file: borrowing UserFile, in store: [UInt8]) throws(Failure) {
        guard let pin = identity.pin, let home = pin.personal, let backend = Backend(pin.backend) else {
            throw Failure(.store, "This token cannot approve logins.")
        }
        let settings = try personalSettings(pin.backend, home)
        let credential = try MPinAdmin.credential(identity, file)
        self.identity = identity
        self.backend = backend
        self.settings = settings
        self.store = store
        self.credential = credential
    }

    /// A connection to the token's server. Nothing is sent yet.
    borrowing func connected() throws(Failure) -> CurlTransport {
        do { return try MPinAdmin.connected(settings) } catch {
            throw Failure(personal: .transport(error), settings)
        }
    }

    /// The request for what waits in a session, tagged by this device.
    borrowing func looking(for wid: [UInt8]) throws(Failure) -> DeviceRequest {
        do { return .look(wid: wid, by: try credential.tag(status: "wid", wid: wid)) } catch {
            throw Failure(personal: error, settings)
        }
    }

    /// The logins that wait for this token, the newest first; none for a token of a Milagro server, which
    /// does not tell.
    borrowing func waiting() throws(Failure) -> [ListedLogin] {
        var line = try connected()
        let time = secondsSince1970()
        let answer: (status: UInt16, logins: [WaitingLogin])
        do throws(Reason) {
            guard let device = try credential.tag(waitingAt: time) else { return [] }
            do throws(TransportError) { answer = try line.waiting(for: device, at: time) } catch {
                throw .transport(error)
            }
        } catch { throw Failure(personal: error, settings) }
        guard answer.status != 429 else { throw .askedTooOften }
        guard answer.status == 200 else { throw Failure(answer.status, settings) }
        let logins = answer.logins.compactMap { ListedLogin($0, of: identity, at: backend) }
        guard logins.count == answer.logins.count else { throw .otherLogins }
        return logins
    }

    /// Asks for the PIN, makes the proof, and returns its result. Keeps a new device key if one came with it.
    consuming func prove(
        _ purpose: ApprovalPurpose, over line: inout CurlTransport, _ person: Approver
    ) throws(Failure) -> Proved {
        var person = person
        let (owner, folder) = (identity, store)
        var approval = Approval(purpose, at: backend, by: credential)
        let outcome = drive(&approval, over: &line) { person.answer($0) }
        if let failure = person.failure { throw failure }
        switch approval.newDeviceKey {
        case .none: break
        case .some(let key): keep(key, of: owner, in: folder, person.dialogue)
        }
        return Proved(
            outcome: outcome, isRedeemed: approval.isRedeemed, seen: person.shown, attempt: approval.attempt,
            logout: approval.logout,
            tries: approval.tries, hasNoNotice: approval.hasNoNotice)
    }
}

/// Keeps a new device key. If that fails, the user gets a warning only: the old key is valid until the new
/// one is used.
private func keep(
    _ key: borrowing DeviceKey, of identity: Identity, in store: [UInt8], _ dialogue: Dialogue
) {
    do throws(StoreError) {
        let tokens = try FileStore(at: store)
        try tokens.replaceDeviceKey(of: identity.id, by: key, of: ownAccount())
    } catch {
        dialogue.tell("mpin: warning: the new device key cannot be kept: \(Failure(error).sentence)")
    }
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

extension Failure {
    fileprivate static let askedTooOften = Failure(
        .refused, "This device has asked too often what waits. Try again in a minute.")
    fileprivate static let otherLogins = Failure(
        .broken,
        "The server lists logins that are not its own. Is this device enrolled at its 'public-url'? If so, "
            + "the connection may be intercepted.")
    fileprivate static let unreadableToken = Failure(
        .store, "The token cannot be read. Enrol this device again.")

    /// The failure for an answer with a status that is not success.
    init(_ status: UInt16, _ settings: Settings) {
        if RelayResponse.isUnavailable(status) {
            self.init(Unavailable(status: status), settings)
        } else {
            self.init(.broken, "That did not work: \(explained(status: status, settings))")
        }
    }
}
