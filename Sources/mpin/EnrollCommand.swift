// SPDX-License-Identifier: Apache-2.0
// `mpin enroll`: a PIN on this host for an account, registered, stored and proved by one login.
import ArgumentParser
import CPlatform
import MPin
import MPinClient
import MPinWire
import Secrets

struct EnrollCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "enroll", abstract: "Give an account a PIN on this host.",
        discussion: """
            On the server, `mpind user add ID` prints the activation code. PIN and code are asked for before
            anything is sent; an older PIN ends only when one login with the new one has succeeded.
            """)

    @Argument(help: "The account.") var user: String
    @Option(help: ArgumentHelp("The name by which the server knows the person.", valueName: "id"))
    var identity: String
    @ArgumentParser.Flag(
        help: "The PIN may serve alone over the network (remote-pin = long); it then has ten characters.")
    var remote = false
    @Option(
        help: ArgumentHelp(
            "What the server lists this registration as; default: this host.", valueName: "name"))
    var device: String?
    @OptionGroup var pin: PINOptions
    @OptionGroup var code: CodeOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> EnrollReport {
        let settings = try server.settings(store, enrolment: true)
        let account = try findAccount(user)
        let place = try Place(settings, account)
        let before = try place.identities()
        _ = try readLabel(identity)
        for old in before where old.pin != nil {
            progress("\(text(old.label)) has a PIN here already; it ends when the new one has been proved.")
        }
        let secret = try newPIN(of: account)
        let code = try activationCode(sealed: settings.answer == .sealed)
        progress("Stretching the PIN ...")
        var registration = try registration(
            try request(settings, account, place, before, code), pin: secret, place)
        let outcome = place.run(&registration) { progress($0) }
        return try EnrollReport(outcome, place, before)
    }

    private func progress(_ line: String) { if !output.json { say(line) } }

    /// Typed twice; out of a descriptor, once.
    private func newPIN(of account: Account) throws(Failure) -> Secret {
        let first = Asked.pin(pin)
        let again = Asked.pin(pin)
        while true {
            let typed = try first.answer("New PIN for \(text(account.name)): ") { typed throws(Failure) in
                let fault = PINPolicy.fault(of: typed, account: account.name, remote: remote)
                if let fault { throw Failure(fault) }
                return typed
            }
            guard first.isTyped else { return typed }
            let repeated = try again.answer("The same PIN again: ")
            if constantTimeEqual(typed, repeated) { return typed }
            say("These were two different PINs.")
        }
    }

    /// The letters of the code, empty where none was given; a Milagro server may have codes of any kind.
    private func activationCode(sealed: Bool) throws(Failure) -> [UInt8] {
        try Asked.code("activation code", code).answer("Activation code: ") { typed throws(Failure) in
            guard sealed, typed.count > 0 else { return octets(of: typed) }
            do throws(SealFailure) { return octets(of: try OneTimeCode(typed: typed).letters) } catch {
                guard error == .malformed else { throw .outOfMemory }
                throw Failure(.refused, "An activation code has 16 letters, as in BCDF-GHJK-LMNP-QRST.")
            }
        }
    }

    private func request(
        _ settings: Settings, _ account: Account, _ place: borrowing Place, _ before: [Identity],
        _ code: [UInt8]
    ) throws(Failure) -> RegistrationRequest {
        let salt: [UInt8]
        do { salt = try randomOctets(16) } catch { throw Failure(Reason.noRandomness, settings) }
        let scene = Scene(
            service: settings.service, account: account, rhost: nil, tty: nil, authInfo: nil,
            realUID: getuid())
        let userID = [UInt8](identity.utf8)
        let pending = try place.pending()
        return RegistrationRequest(
            scene: scene, userID: userID, activationCode: code,
            deviceName: device.map { [UInt8]($0.utf8) } ?? place.host,
            backend: settings.backends.first?.address ?? [],
            enrolled: currentTime(), remote: remote, rule: .scrypt(.standard, salt: salt),
            known: before.map(\.id),
            pending: pending?.userID == userID ? pending : nil)
    }

    private func registration(
        _ request: RegistrationRequest, pin: consuming Secret, _ place: borrowing Place
    ) throws(Failure) -> Registration {
        let key = try place.hostKey()
        do { return try Registration(request, pin: pin, hostKey: key, nonce: freshNonce) } catch {
            switch error {
            case .pin(let fault): throw Failure(fault)
            case .failed(let reason): throw Failure(reason, place.settings)
            }
        }
    }
}
