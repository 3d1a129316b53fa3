// SPDX-License-Identifier: Apache-2.0
// The parts that all enrolments share: the new PIN, the activation code, the request, and the outcome.
import CPlatform
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets

/// A new PIN. The user types it twice; from a descriptor it is read once.
/// - Parameter demand: the server's requirements for PINs.
func newPIN(
    _ first: SecretInput, for name: [UInt8], account: [UInt8], remote: Bool, demand: PINDemand
) throws(Failure) -> Secret {
    while true {
        let typed = try first.answer("New PIN for \(text(name)): ") { typed throws(Failure) in
            let fault = PINPolicy.fault(
                of: typed, account: account, remote: remote, demand: demand)
            if let fault { throw Failure(fault) }
            return typed
        }
        guard first.isTyped else { return typed }
        let repeated = try first.answer("The same PIN again: ")
        if constantTimeEqual(typed, repeated) { return typed }
        first.respondent.show("These were two different PINs.")
    }
}

/// The activation code without hyphens and blanks; empty if the user gives none.
/// - Parameters:
///   - name: the user's name at the server.
///   - isOurs: whether the server is mpind. A Milagro server may have codes of any kind.
///   - forQRCode: whether the code must be one for a QR code, which everybody near the screen can see.
func activationCode(
    _ dialogue: Dialogue, of name: String, isOurs: Bool, forQRCode: Bool = false
) throws(Failure) -> [UInt8] {
    try dialogue.code("activation code").answer("Activation code: ") { typed throws(Failure) in
        guard isOurs, typed.count > 0 || forQRCode else { return octets(of: typed) }
        do throws(SealFailure) {
            let code = try OneTimeCode(typed: typed)
            if !forQRCode || code.isForQRCode { return octets(of: code.letters) }
        } catch {
            guard error == .malformed else { throw .outOfMemory }
            throw Failure(.refused, "An activation code has 16 letters, as in BCDF-GHJK-LMNP-QRST.")
        }
        throw Failure(
            .refused,
            "This activation code was not made for a QR code: with it, whoever scans the QR code first could "
                + "log in. 'sudo mpind user add \(shellWord(shown(name))) --qr' on the server prints the "
                + "right one.")
    }
}

extension Enrolment {
    /// The request with which a registration begins.
    /// - Parameters:
    ///   - name: the user's name at the server.
    ///   - host: the registration's name in the server's list, unless the command line gives one.
    ///   - identities: the identities that the account has already.
    ///   - demand: the server's requirements for PINs.
    ///   - pending: what an interrupted enrolment left; used if it has the same name and server.
    func request(
        _ settings: Settings, _ account: Account, named name: String, from host: [UInt8],
        among identities: [Identity], asking demand: PINDemand,
        resuming pending: PendingRegistration?, code: [UInt8], personal: PersonalBackend? = nil
    ) throws(Failure) -> RegistrationRequest {
        let salt: [UInt8]
        do { salt = try randomOctets(16) } catch { throw Failure(Reason.noRandomness, settings) }
        let context = LoginContext(service: settings.service, askedFor: account, realUID: getuid())
        let userID = [UInt8](name.utf8)
        let backend = settings.backends.first?.address ?? []
        let goesOn = pending?.userID == userID && pending?.backend == backend
        return RegistrationRequest(
            context: context, userID: userID, activationCode: code,
            deviceName: device.map { [UInt8]($0.utf8) } ?? host, backend: backend, enrolled: currentTime(),
            remote: isRemote, rule: .scrypt(.standard, salt: salt), known: identities.map(\.id),
            pending: goesOn ? pending : nil, personal: personal, demand: demand)
    }
}

/// The identity that an enrolment stored, and why no login has proved it, if so. Throws if nothing was
/// stored.
/// - Parameters:
///   - name: the user's name at the server.
///   - hasCode: whether the user gave an activation code.
///   - failure: makes a failure of a login's outcome; nil for an outcome that grants.
func stored(
    _ outcome: RegistrationOutcome, of name: String, _ settings: Settings, hasCode: Bool,
    failure: (Outcome) -> Failure?
) throws(Failure) -> (identity: Identity, unproved: Failure?) {
    let place = ServerPlace(settings)
    switch outcome {
    case .enrolled(let identity): return (identity, nil)
    case .unproved(let identity, let why):
        let reason = failure(why) ?? Failure(.broken, "The login ended too early.")
        return (
            identity,
            Failure(
                reason.kind,
                "The PIN is stored, but no login has proved it: \(reason.sentence) An older PIN was kept.")
        )
    case .withdrawn(let why):
        let reason = failure(why) ?? Failure(.broken, "The login ended too early.")
        throw Failure(
            reason.kind,
            "The login that should prove the PIN failed, so nothing was changed. \(reason.sentence)")
    case .notVerified: throw hasCode ? .wrongCode(name, place) : .unconfirmed(name, place)
    case .notAuthorized: throw Failure(.refused, "The server does not let this identity register.")
    case .full(let seconds): throw .noPlace(seconds, of: name, place)
    case .expired: throw Failure(.refused, "The server waited too long for this. Run the command again.")
    case .unavailable(let why): throw Failure(why, settings)
    case .failed(let reason):
        throw failure(.failed(reason)) ?? Failure(.broken, "The enrolment ended too early.")
    }
}

extension Failure {
    fileprivate static func unconfirmed(_ name: String, _ place: ServerPlace) -> Failure {
        guard place.isOurs else {
            return Failure(
                .refused,
                "The server waits until this registration is confirmed, as it asks: by the mail that it has "
                    + "sent, for example. Run this command again after that; it continues the registration.")
        }
        let word = shellWord(shown(name))
        return Failure(
            .refused,
            "The server waits until this registration is confirmed: by you, with the mail that it has sent, "
                + "or by an administrator, with 'sudo mpind user confirm \(word) --id ID' \(place.onServer). "
                + "Run this command again after that; it continues the registration. If registrations are "
                + "not confirmed there, ask for a code: 'sudo mpind user add \(word)' prints one.")
    }

    fileprivate static func wrongCode(_ name: String, _ place: ServerPlace) -> Failure {
        let cure =
            place.isOurs
            ? " A code is good for a day and one enrolment. 'sudo mpind user add \(shellWord(shown(name)))' "
                + "\(place.onServer) prints a new one." : ""
        return Failure(
            .refused, "The server does not take this activation code for \(shown(name)).\(cure)")
    }

    fileprivate static func noPlace(_ seconds: UInt32, of name: String, _ place: ServerPlace) -> Failure {
        let minutes = (Int(seconds) + 59) / 60
        let time = minutes == 0 ? "within the hour" : minutes == 1 ? "in 1 minute" : "in \(minutes) minutes"
        let cure =
            place.isOurs
            ? " An administrator can confirm them sooner, by 'sudo mpind user confirm "
                + "\(shellWord(shown(name))) --id ID' \(place.onServer), or give you a code." : ""
        return Failure(
            .refused,
            "Too many registrations from this machine wait for confirmation. Try again \(time).\(cure)")
    }

    init(_ error: RegistrationError, _ settings: Settings) {
        switch error {
        case .pin(let fault): self.init(fault)
        case .failed(let reason): self.init(reason, settings)
        }
    }
}
