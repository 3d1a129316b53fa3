// SPDX-License-Identifier: Apache-2.0
// An enrolment as a state machine: registration, client secret, token, and a login that proves it. If a PIN
// is changed, a proof with the old PIN comes first and replaces the activation code.
package import MPin
import MPinWire
package import Octets
package import Secrets

/// A registration. The driver calls `resume` with each event and carries out the step that it returns.
package struct Registration: ~Copyable {
    /// The values before there is a token.
    struct Work: ~Copyable {
        let factor: Secret
        let hostKey: HostKey?
    }

    /// The values before the proof with the old PIN.
    struct Change: ~Copyable {
        let work: Work
        let old: Credential
        let factor: Secret
    }

    /// The proof with the old PIN, which requests no verdict.
    struct Authorising: ~Copyable {
        let work: Work
        let old: Credential
        var passes: Passes
    }

    struct Made: ~Copyable {
        let credential: Credential
        let factor: Secret
    }

    struct Proving: ~Copyable {
        let credential: Credential
        var proof: Proof
    }

    enum State: ~Copyable {
        case fresh(Work)
        case changing(Change)
        case authorising(Authorising)
        case registering(Work)
        case saving(Work)
        case fetching(Work)
        case storing(Made)
        case finishing(Made)
        case proving(Proving)
        case closing
        case over
    }

    let request: RegistrationRequest
    let nonce: () throws(Reason) -> QuestionNonce
    var state: State
    var pending: PendingRegistration?
    /// Whether this run first requests the secret of an earlier run's registration: a new registration would
    /// discard a confirmation that came in the meantime. If the user types a code, this run registers with
    /// it.
    var isResuming = false
    /// The hash A of this run's question; nil before it, and if the server seals nothing.
    var a: QuestionHash?
    /// Whether the proof with an old PIN replaces the code.
    var isChange = false
    /// Whether an earlier run has stored the identity.
    private(set) var isFinishing = false
    /// The stored identity, as soon as there is one.
    var identity: Identity?
    var end: RegistrationOutcome?

    /// - Parameters:
    ///   - hostKey: nil for a user's own device and for a Milagro server, which both get plain shares.
    ///   - nonce: new at each call (`freshNonce`).
    package init(
        _ request: RegistrationRequest, pin: consuming Secret, hostKey: consuming HostKey?,
        nonce: @escaping () throws(Reason) -> QuestionNonce
    ) throws(RegistrationError) {
        let made = try factor(of: pin, request)
        self.request = request
        self.nonce = nonce
        pending = request.pending
        isResuming = pending != nil && request.activationCode.isEmpty
        state = .fresh(Work(factor: made, hostKey: hostKey))
    }

    /// A new PIN instead of an old one of this host: the proof with the old PIN replaces the code. If it is
    /// interrupted, a second run can begin again, so no pending registration is stored.
    package init(
        _ request: RegistrationRequest, pin: consuming Secret, hostKey: consuming HostKey,
        replacing old: consuming Credential, oldPIN: consuming Secret,
        nonce: @escaping () throws(Reason) -> QuestionNonce
    ) throws(RegistrationError) {
        let new = try factor(of: pin, request)
        let known = try factor(of: oldPIN, old.pin.rule)
        self.request = request
        self.nonce = nonce
        state = .changing(Change(work: Work(factor: new, hostKey: hostKey), old: old, factor: known))
    }

    /// Finishes a change that was interrupted between token and login: proves the new PIN, and the old one is
    /// then removed.
    package init(
        _ request: RegistrationRequest, finishing new: consuming Credential, pin: consuming Secret,
        nonce: @escaping () throws(Reason) -> QuestionNonce
    ) throws(RegistrationError) {
        let made = try factor(of: pin, new.pin.rule)
        self.request = request
        self.nonce = nonce
        state = .finishing(Made(credential: new, factor: made))
        isFinishing = true
        isChange = true
    }

    /// Runs `body` with the token and the device key during the step `store`; nil at any other time.
    package borrowing func withToken<R>(
        _ body: (borrowing Token, borrowing DeviceKey?) -> R
    ) -> R? {
        switch state {
        case .storing(let made): body(made.credential.token, made.credential.deviceKey)
        case .fresh: nil
        case .changing: nil
        case .authorising: nil
        case .registering: nil
        case .saving: nil
        case .fetching: nil
        case .finishing: nil
        case .proving: nil
        case .closing: nil
        case .over: nil
        }
    }

    /// The next step. After any error the machine is over and its secrets are wiped.
    package mutating func resume(_ event: RegistrationEvent) -> RegistrationStep {
        do throws(Reason) {
            return try next(event)
        } catch {
            state = .over
            return .finished(.failed(error))
        }
    }

    private mutating func begin() throws(Reason) -> RegistrationStep {
        switch exchange(&state, with: .over) {
        case .fresh(let work): return try isResuming ? fetch(work) : register(work)
        case .changing(let change): return try authorise(change)
        case .finishing(let made): return try prove(made)
        case .authorising: throw .outOfTurn
        case .registering: throw .outOfTurn
        case .saving: throw .outOfTurn
        case .fetching: throw .outOfTurn
        case .storing: throw .outOfTurn
        case .proving: throw .outOfTurn
        case .closing: throw .outOfTurn
        case .over: throw .outOfTurn
        }
    }

    private mutating func next(_ event: RegistrationEvent) throws(Reason) -> RegistrationStep {
        switch event {
        case .transportBroken(.timedOut):
            return broken(.unavailable(Unavailable(status: nil)))
        case .transportBroken(let error): return broken(.failed(.transport(error)))
        case .storeBroken(let error): throw .store(error)
        case .begin: return try begin()
        case .received, .done: break
        }
        switch exchange(&state, with: .over) {
        case .fresh: throw .outOfTurn
        case .changing: throw .outOfTurn
        case .authorising(var authorising):
            let step = authorising.passes.resume(try event.response, authorising.old)
            return try follow(step, authorising)
        case .registering(let work):
            return try registered(event.response, work)
        case .saving(let work):
            guard event == .done else { throw .outOfTurn }
            return try fetch(work)
        case .fetching(let work):
            return try fetched(event.response, work)
        case .storing(let made):
            guard event == .done else { throw .outOfTurn }
            return try prove(made)
        case .finishing: throw .outOfTurn
        case .proving(var proving):
            let step = proving.proof.resume(try event.response, proving.credential)
            return follow(step, proving)
        case .closing:
            guard event == .done, let end else { throw .outOfTurn }
            return .finished(end)
        case .over: throw .outOfTurn
        }
    }
}

extension RegistrationEvent {
    /// The response to a request; throws `outOfTurn` for any other event.
    fileprivate var response: RelayResponse {
        get throws(Reason) {
            guard case .received(let response) = self else { throw .outOfTurn }
            return response
        }
    }
}

/// The factor of a new PIN, if the PIN is permitted.
private func factor(
    of pin: borrowing Secret, _ request: RegistrationRequest
) throws(RegistrationError) -> Secret {
    let fault = PINPolicy.fault(
        of: pin, account: request.context.accountName, remote: request.remote, demand: request.demand)
    if let fault { throw .pin(fault) }
    return try factor(of: pin, request.rule)
}

private func factor(of pin: borrowing Secret, _ rule: PINRule) throws(RegistrationError) -> Secret {
    do throws(MPinError) { return try rule.factor(of: pin) } catch { throw .failed(.mathematics(error)) }
}
