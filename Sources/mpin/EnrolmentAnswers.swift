// SPDX-License-Identifier: Apache-2.0
// What every enrolment asks for before anything is sent: a new PIN, twice, and the activation code.
import MPin
import MPinClient
import MPinWire
import Secrets

/// Typed twice; out of a descriptor, once.
func newPIN(_ options: PINOptions, for name: [UInt8], account: [UInt8], remote: Bool) throws(Failure)
    -> Secret
{
    let first = Asked.pin(options)
    let again = Asked.pin(options)
    while true {
        let typed = try first.answer("New PIN for \(text(name)): ") { typed throws(Failure) in
            if let fault = PINPolicy.fault(of: typed, account: account, remote: remote) {
                throw Failure(fault)
            }
            return typed
        }
        guard first.isTyped else { return typed }
        let repeated = try again.answer("The same PIN again: ")
        if constantTimeEqual(typed, repeated) { return typed }
        say("These were two different PINs.")
    }
}

/// The letters of the code, empty where none was given.
/// - Parameter isOurs: a Milagro server may have codes of any kind.
func activationCode(_ options: CodeOptions, isOurs: Bool) throws(Failure) -> [UInt8] {
    try Asked.code("activation code", options).answer("Activation code: ") { typed throws(Failure) in
        guard isOurs, typed.count > 0 else { return octets(of: typed) }
        do throws(SealFailure) { return octets(of: try OneTimeCode(typed: typed).letters) } catch {
            guard error == .malformed else { throw .outOfMemory }
            throw Failure(.refused, "An activation code has 16 letters, as in BCDF-GHJK-LMNP-QRST.")
        }
    }
}

/// What an enrolment stored, and why nothing has proved it yet; one that stored nothing has failed.
/// - Parameter failure: why a login let nobody in.
func stored(
    _ outcome: RegistrationOutcome, _ settings: Settings, failure: (Outcome) -> Failure?
) throws(Failure) -> (identity: Identity, unproved: Failure?) {
    switch outcome {
    case .enrolled(let identity): return (identity, nil)
    case .unproved(let identity, let why):
        let reason = failure(why) ?? Failure(.broken, "The login ended too early.")
        return (
            identity,
            Failure(
                reason.trouble,
                "The PIN is stored, but no login has proved it: \(reason.sentence) An older PIN was kept.")
        )
    case .withdrawn(let why):
        let reason = failure(why) ?? Failure(.broken, "The login ended too early.")
        throw Failure(
            reason.trouble,
            "The login that was to prove the PIN failed, so everything is as it was. \(reason.sentence)")
    case .notVerified:
        throw Failure(
            .refused,
            "The server does not take this activation code for this identity. A code is good for a "
                + "day, five tries and one enrolment; 'mpind user add' prints a new one. Without a code, "
                + "'mpind user confirm' lets the registration through; then run this command again.")
    case .notAuthorized: throw Failure(.refused, "The server does not let this identity register.")
    case .expired: throw Failure(.refused, "The server's patience was over. Run the command again.")
    case .unavailable(let why): throw Failure(why, settings)
    case .failed(let reason):
        throw failure(.failed(reason)) ?? Failure(.broken, "The enrolment ended too early.")
    }
}

extension Failure {
    init(_ error: RegistrationError, _ settings: Settings) {
        switch error {
        case .pin(let fault): self.init(fault)
        case .failed(let reason): self.init(reason, settings)
        }
    }
}
